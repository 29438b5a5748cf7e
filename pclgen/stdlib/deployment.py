"""The deployment: its names and folders, other stacks, resources, secrets.

The functions are `stack`, `project`, `organization`, `cwd`, `rootDirectory`, `getOutput`, `pulumiResourceType`,
`pulumiResourceName`; `secret` and `unsecret`, which are not folded: a known value does not carry the mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.model import Argument, BadArgumentError, Derivation, Function, Lifting, Parameter, plain
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.show import with_article

STACK_REFERENCE = "pulumi:pulumi:StackReference"


def _constant(name: str, doc: str) -> Function:
    return Function(
        name=name,
        doc=doc,
        result=lambda _: ty.STRING,
        lifting=Lifting.NEVER,
        impure="depends on the deployment",
        example=f"{name}()",
    )


def _output_result(arguments: Sequence[Argument]) -> ty.Type:
    t = plain(arguments[0].type)
    if t is ty.DYNAMIC or t is ty.ERROR or (isinstance(t, ty.NominalType) and t.declaration.token == STACK_REFERENCE):
        return ty.DYNAMIC
    raise BadArgumentError(
        0,
        f"expected a stack reference, found {with_article(arguments[0].type)}",
        f'declare it with `resource other "{STACK_REFERENCE}" {{ … }}` and write `getOutput(other, "name")`',
    )


def _resource_text(arguments: Sequence[Argument]) -> ty.Type:
    t = plain(arguments[0].type)
    if t is ty.DYNAMIC or t is ty.ERROR or is_resource(t):
        return ty.STRING
    raise BadArgumentError(
        0,
        f"expected a resource, found {with_article(arguments[0].type)}",
        "name a resource itself; of a ranged resource, one of its elements",
    )


def _of_resource(name: str, doc: str) -> Function:
    return Function(
        name=name,
        doc=doc,
        result=_resource_text,
        parameters=(Parameter(name="resource", doc="A resource of the program."),),
        lifting=Lifting.NEVER,
        impure="depends on a resource",
        example=f"{name}(bucket)",
    )


_DEPLOYMENT = (
    _constant("stack", "The name of the current stack."),
    _constant("project", "The name of the current project."),
    _constant("organization", "The name of the organization that owns the stack."),
    _constant("cwd", "The working directory of the program."),
    _constant("rootDirectory", "The directory of the project file."),
    Function(
        name="getOutput",
        doc="An output of another stack.",
        result=_output_result,
        parameters=(
            Parameter(name="stackReference", doc=f"A resource of type {STACK_REFERENCE}."),
            Parameter(name="name", doc="The name of the output.", type=ty.STRING),
        ),
        lifting=Lifting.OUTPUT,
        impure="depends on another stack",
        untyped=True,
        example='getOutput(network, "vpcId")',
    ),
    _of_resource("pulumiResourceType", "The type token of a resource."),
    _of_resource("pulumiResourceName", "The logical name of a resource."),
)


# -- secrets ----------------------------------------------------------------------------------------------------------------

def _own(arguments: Sequence[Argument]) -> ty.Type:
    return ty.without_const(ty.resolve(arguments[0].type))


def _marker(name: str, doc: str, impure: str, example: str) -> Function:
    value = Parameter(name="value", doc="Any value.", allow_null=True, allow_unknown=True)
    return Function(
        name=name,
        doc=doc,
        result=_own,
        parameters=(value,),
        lifting=Lifting.OUTPUT,
        impure=impure,
        derives=Derivation.ARGUMENT,
        named_after=0,
        example=example,
    )


_SECRETS = (
    _marker("secret", "The value as a secret, hidden in state and logs.", "marks its value as secret", 'secret("hunter2")'),
    _marker(
        "unsecret",
        "The value without its secret mark: Pulumi shows it in state and logs.",
        "takes the secret mark off its value",
        "unsecret(password.result)",
    ),
)

FUNCTIONS = (*_DEPLOYMENT, *_SECRETS)
