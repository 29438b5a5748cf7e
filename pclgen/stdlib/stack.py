"""The deployment: `stack`, `project`, `organization`, `cwd`, `rootDirectory`, `getOutput`, `pulumiResourceType`,
`pulumiResourceName`."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.model import Argument, BadArgumentError, Function, Lifting, Parameter, plain
from pclgen.types.convert import is_resource
from pclgen.types.model import DYNAMIC, ERROR, STRING, NominalType, Type
from pclgen.types.show import with_article

STACK_REFERENCE = "pulumi:pulumi:StackReference"


def _constant(name: str, doc: str) -> Function:
    return Function(
        name=name,
        doc=doc,
        result=lambda _: STRING,
        lifting=Lifting.NEVER,
        impure="depends on the deployment",
        example=f"{name}()",
    )


def _output_result(arguments: Sequence[Argument]) -> Type:
    t = plain(arguments[0].type)
    if t is DYNAMIC or t is ERROR or (isinstance(t, NominalType) and t.declaration.token == STACK_REFERENCE):
        return DYNAMIC
    raise BadArgumentError(
        0,
        f"expected a stack reference, found {with_article(arguments[0].type)}",
        f'declare it with `resource other "{STACK_REFERENCE}" {{ … }}` and write `getOutput(other, "name")`',
    )


def _resource_text(arguments: Sequence[Argument]) -> Type:
    t = plain(arguments[0].type)
    if t is DYNAMIC or t is ERROR or is_resource(t):
        return STRING
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


FUNCTIONS = (
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
            Parameter(name="name", doc="The name of the output.", type=STRING),
        ),
        lifting=Lifting.OUTPUT,
        impure="depends on another stack",
        untyped=True,
        example='getOutput(network, "vpcId")',
    ),
    _of_resource("pulumiResourceType", "The type token of a resource."),
    _of_resource("pulumiResourceName", "The logical name of a resource."),
)
