"""Source text of small Python SDKs, as Pulumi's generators write it, for tests of recovered schemas.

Folders and pieces of text become site-packages folders with an SDK in them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.support.files import write_files

HEADER = """\
# coding=utf-8
import builtins as _builtins
import warnings
import pulumi
import pulumi.runtime
from typing import Any, Mapping, Optional, Sequence, Union, overload
from .. import _utilities
"""

BUCKET = (
    HEADER
    + '''\
from . import outputs
from ._enums import *
from ._inputs import *
from .. import net as _net

__all__ = ['BucketArgs', 'Bucket']

@pulumi.input_type
class BucketArgs:
    def __init__(__self__, *,
                 owner: pulumi.Input[_builtins.str],
                 kind: Optional[pulumi.Input[_builtins.str]] = None,
                 max_size: Optional[pulumi.Input[_builtins.int]] = None,
                 network: Optional[pulumi.Input['_net.Network']] = None,
                 password: Optional[pulumi.Input[_builtins.str]] = None,
                 retries: Optional[_builtins.int] = None,
                 rules: Optional[pulumi.Input[Sequence[pulumi.Input['RuleArgs']]]] = None,
                 tier: Optional[pulumi.Input[Union[_builtins.str, 'Tier']]] = None):
        """
        The set of arguments for constructing a Bucket resource.
        """
        pulumi.set(__self__, "owner", owner)
        if kind is not None:
            pulumi.set(__self__, "kind", 'Bucket')
        if max_size is None:
            max_size = (_utilities.get_env_int('STORE_MAX', 'STORE_LIMIT') or 10)
        if max_size is not None:
            pulumi.set(__self__, "max_size", max_size)

    @_builtins.property
    @pulumi.getter
    def owner(self) -> pulumi.Input[_builtins.str]:
        """
        Who owns it.
        """
        return pulumi.get(self, "owner")

    @owner.setter
    def owner(self, value: pulumi.Input[_builtins.str]):
        pulumi.set(self, "owner", value)

    @_builtins.property
    @pulumi.getter
    def kind(self) -> Optional[pulumi.Input[_builtins.str]]:
        return pulumi.get(self, "kind")

    @_builtins.property
    @pulumi.getter(name="maxSize")
    @_utilities.deprecated("""Use a
quota.""")
    def max_size(self) -> Optional[pulumi.Input[_builtins.int]]:
        return pulumi.get(self, "max_size")

    @_builtins.property
    @pulumi.getter
    def network(self) -> Optional[pulumi.Input['_net.Network']]:
        return pulumi.get(self, "network")

    @_builtins.property
    @pulumi.getter
    def password(self) -> Optional[pulumi.Input[_builtins.str]]:
        return pulumi.get(self, "password")

    @_builtins.property
    @pulumi.getter
    def retries(self) -> Optional[_builtins.int]:
        return pulumi.get(self, "retries")

    @_builtins.property
    @pulumi.getter
    def rules(self) -> Optional[pulumi.Input[Sequence[pulumi.Input['RuleArgs']]]]:
        return pulumi.get(self, "rules")

    @_builtins.property
    @pulumi.getter
    def tier(self) -> Optional[pulumi.Input[Union[_builtins.str, 'Tier']]]:
        return pulumi.get(self, "tier")


@pulumi.input_type
class _BucketState:
    def __init__(__self__, *,
                 owner: Optional[pulumi.Input[_builtins.str]] = None):
        pass

    @_builtins.property
    @pulumi.getter
    def owner(self) -> Optional[pulumi.Input[_builtins.str]]:
        return pulumi.get(self, "owner")


class Bucket(pulumi.CustomResource):
    @overload
    def __init__(__self__,
                 resource_name: str,
                 opts: Optional[pulumi.ResourceOptions] = None,
                 owner: Optional[pulumi.Input[_builtins.str]] = None,
                 __props__=None):
        """
        Keeps things.

        :param str resource_name: The name of the resource.
        """
        ...
    def __init__(__self__, resource_name: str, *args, **kwargs):
        __self__._internal_init(resource_name, *args, **kwargs)

    def _internal_init(__self__, resource_name: str, opts=None, owner=None, kind=None, password=None, __props__=None):
        if opts.id is None:
            __props__ = BucketArgs.__new__(BucketArgs)
            __props__.__dict__["kind"] = 'Bucket'
            __props__.__dict__["password"] = None if password is None else pulumi.Output.secret(password)
        alias_opts = pulumi.ResourceOptions(aliases=[pulumi.Alias(type_="store:old/bucket:Bucket"), pulumi.Alias(type_="store:older/bucket:Bucket")])
        opts = pulumi.ResourceOptions.merge(opts, alias_opts)
        secret_opts = pulumi.ResourceOptions(additional_secret_outputs=["accessKey", "password"])
        opts = pulumi.ResourceOptions.merge(opts, secret_opts)
        replace_on_changes = pulumi.ResourceOptions(replace_on_changes=["owner", "rules[*]"])
        super(Bucket, __self__).__init__(
            'store:things/bucket:Bucket',
            resource_name,
            __props__,
            opts)

    @staticmethod
    def get(resource_name: str, id: pulumi.Input[str], opts=None, owner=None) -> 'Bucket':
        __props__ = _BucketState.__new__(_BucketState)
        return Bucket(resource_name, opts=opts, __props__=__props__)

    @_builtins.property
    @pulumi.getter(name="accessKey")
    def access_key(self) -> pulumi.Output[_builtins.str]:
        return pulumi.get(self, "access_key")

    @_builtins.property
    @pulumi.getter
    def owner(self) -> pulumi.Output[Optional[_builtins.str]]:
        return pulumi.get(self, "owner")

    @_builtins.property
    @pulumi.getter
    def rules(self) -> pulumi.Output[Optional[Sequence['outputs.Rule']]]:
        return pulumi.get(self, "rules")
'''
)

INPUTS = (
    HEADER
    + '''\
from ._enums import *

__all__ = [
    'RuleArgs',
    'RuleArgsDict',
    'TreeArgs',
    'TreeArgsDict',
]

class RuleArgsDict(TypedDict):
    name: pulumi.Input[_builtins.str]

@pulumi.input_type
class RuleArgs:
    """
    A rule.
    """
    def __init__(__self__, *,
                 name: pulumi.Input[_builtins.str],
                 tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[_builtins.str]]]] = None,
                 tree: Optional['TreeArgs'] = None):
        """
        :param pulumi.Input[_builtins.str] name: What it is called.
        """
        pulumi.set(__self__, "name", name)

    @_builtins.property
    @pulumi.getter
    def name(self) -> pulumi.Input[_builtins.str]:
        """
        What it is called.
        """
        return pulumi.get(self, "name")

    @_builtins.property
    @pulumi.getter
    def tags(self) -> pulumi.Input[Optional[Mapping[str, pulumi.Input[_builtins.str]]]]:
        return pulumi.get(self, "tags")

    @_builtins.property
    @pulumi.getter
    def tree(self) -> Optional['TreeArgs']:
        return pulumi.get(self, "tree")


@pulumi.input_type
class TreeArgs:
    def __init__(__self__, *,
                 branches: Optional[pulumi.Input[Sequence[pulumi.Input['TreeArgs']]]] = None,
                 content: Optional[pulumi.Input[Union[pulumi.Asset, pulumi.Archive]]] = None,
                 extra: Optional[Any] = None):
        pass

    @_builtins.property
    @pulumi.getter
    def branches(self) -> Optional[pulumi.Input[Sequence[pulumi.Input['TreeArgs']]]]:
        return pulumi.get(self, "branches")

    @_builtins.property
    @pulumi.getter
    def content(self) -> Optional[pulumi.Input[Union[pulumi.Asset, pulumi.Archive]]]:
        return pulumi.get(self, "content")

    @_builtins.property
    @pulumi.getter
    def extra(self) -> Optional[Any]:
        return pulumi.get(self, "extra")
'''
)

OUTPUTS = (
    HEADER
    + """\
__all__ = [
    'Rule',
    'Tree',
    'GetBucketsItemResult',
]

@pulumi.output_type
class Rule(dict):
    def __init__(__self__, *,
                 name: _builtins.str):
        pulumi.set(__self__, "name", name)

    @_builtins.property
    @pulumi.getter
    def name(self) -> _builtins.str:
        return pulumi.get(self, "name")


@pulumi.output_type
class Tree(dict):
    pass


@pulumi.output_type
class GetBucketsItemResult(dict):
    def __init__(__self__, *,
                 bucket_name: _builtins.str):
        pulumi.set(__self__, "bucket_name", bucket_name)

    @_builtins.property
    @pulumi.getter(name="bucketName")
    def bucket_name(self) -> _builtins.str:
        return pulumi.get(self, "bucket_name")
"""
)

ENUMS = '''\
# coding=utf-8
import builtins as _builtins
import pulumi
from enum import Enum

__all__ = [
    'Tier',
]


@pulumi.type_token("store:things/tier:Tier")
class Tier(_builtins.str, Enum):
    """
    How fast it is.
    """
    FAST_ONE = "fast-one"
    """
    The fast one.
    """
    SLOW = "slow"
'''

GET_BUCKETS = (
    HEADER
    + '''\
from . import outputs

__all__ = ['GetBucketsResult', 'AwaitableGetBucketsResult', 'get_buckets', 'get_buckets_output']

@pulumi.output_type
class GetBucketsResult:
    """
    A collection of values returned by getBuckets.
    """
    def __init__(__self__, items=None, note=None):
        pulumi.set(__self__, "items", items)

    @_builtins.property
    @pulumi.getter
    def items(self) -> Sequence['outputs.GetBucketsItemResult']:
        return pulumi.get(self, "items")

    @_builtins.property
    @pulumi.getter
    def note(self) -> Optional[_builtins.str]:
        return pulumi.get(self, "note")


def get_buckets(name_prefix: Optional[_builtins.str] = None,
                owner: Optional[_builtins.str] = None,
                opts: Optional[pulumi.InvokeOptions] = None) -> AwaitableGetBucketsResult:
    """
    Finds buckets.


    :param _builtins.str name_prefix: How their names begin.
           Upper case counts.
    :param _builtins.str owner: Whose they are.
    """
    pulumi.log.warn("""get_buckets is deprecated: Ask for one.""")
    __args__ = dict()
    __args__['namePrefix'] = name_prefix
    __args__['owner'] = owner
    opts = pulumi.InvokeOptions.merge(_utilities.get_invoke_opts_defaults(), opts)
    __ret__ = pulumi.runtime.invoke('store:things/getBuckets:getBuckets', __args__, opts=opts, typ=GetBucketsResult).value
    return AwaitableGetBucketsResult(items=pulumi.get(__ret__, 'items'))
def get_buckets_output(name_prefix: pulumi.Input[Optional[Optional[_builtins.str]]] = None,
                       owner: pulumi.Input[Optional[_builtins.str]] = None,
                       opts=None) -> pulumi.Output[GetBucketsResult]:
    __args__ = dict()
    __args__['namePrefix'] = name_prefix
    __args__['owner'] = owner
    __ret__ = pulumi.runtime.invoke_output('store:things/getBuckets:getBuckets', __args__, opts=opts, typ=GetBucketsResult)
    return __ret__.apply(lambda __response__: GetBucketsResult(items=pulumi.get(__response__, 'items')))
'''
)

NETWORK = (
    HEADER
    + '''\
__all__ = ['NetworkArgs', 'Network']

@pulumi.input_type
class NetworkArgs:
    def __init__(__self__):
        pass


class Network(pulumi.CustomResource):
    def __init__(__self__, resource_name: str, opts=None, __props__=None):
        """
        Joins things.
        """
        __props__ = NetworkArgs.__new__(NetworkArgs)
        super(Network, __self__).__init__(
            'store:net/network:Network',
            resource_name,
            __props__,
            opts)
'''
)

PROVIDER = (
    HEADER.replace("from ..", "from .")
    + '''\
__all__ = ['ProviderArgs', 'Provider']

@pulumi.input_type
class ProviderArgs:
    def __init__(__self__, *,
                 token: Optional[pulumi.Input[_builtins.str]] = None):
        if token is None:
            token = _utilities.get_env('STORE_TOKEN')

    @_builtins.property
    @pulumi.getter
    def token(self) -> Optional[pulumi.Input[_builtins.str]]:
        return pulumi.get(self, "token")


@pulumi.type_token("pulumi:providers:store")
class Provider(pulumi.ProviderResource):
    def _internal_init(__self__, resource_name: str, opts=None, token=None, __props__=None):
        __props__ = ProviderArgs.__new__(ProviderArgs)
        super(Provider, __self__).__init__(
            'store',
            resource_name,
            __props__,
            opts)

    @_builtins.property
    @pulumi.getter
    def token(self) -> pulumi.Output[Optional[_builtins.str]]:
        return pulumi.get(self, "token")

    @pulumi.output_type
    class DescribeResult:
        def __init__(__self__, text=None):
            pulumi.set(__self__, "text", text)

        @_builtins.property
        @pulumi.getter
        def text(self) -> _builtins.str:
            return pulumi.get(self, "text")

    def describe(__self__, *,
                 in_full: pulumi.Input[_builtins.bool],
                 language: Optional[pulumi.Input[_builtins.str]] = None) -> pulumi.Output['Provider.DescribeResult']:
        """
        Tells what it is.
        """
        __args__ = dict()
        __args__['__self__'] = __self__
        __args__['inFull'] = in_full
        __args__['language'] = language
        return pulumi.runtime.call('pulumi:providers:store/describe', __args__, res=__self__, typ=Provider.DescribeResult)
'''
)


def table(classes: Mapping[str, str]) -> str:
    """A root `__init__.py` that registers resources: {token: module in Python}."""
    entries = [
        {"pkg": "store", "mod": token.split(":")[1], "fqn": module, "classes": {token: token.rpartition(":")[2]}}
        for token, module in classes.items()
    ]
    return f'_utilities.register(\n    resource_modules="""\n{json.dumps(entries, indent=1)}\n""",\n    resource_packages="""\n[]\n"""\n)\n'


STORE = {
    "__init__.py": table(
        {"store:things/bucket:Bucket": "pulumi_store.things", "store:net/network:Network": "pulumi_store.net"}
    ),
    "provider.py": PROVIDER,
    "things/__init__.py": "",
    "things/bucket.py": BUCKET,
    "things/_inputs.py": INPUTS,
    "things/outputs.py": OUTPUTS,
    "things/_enums.py": ENUMS,
    "things/get_buckets.py": GET_BUCKETS,
    "net/__init__.py": "",
    "net/network.py": NETWORK,
}
"""The files of an SDK as the Terraform bridge makes it."""


def install(
    packages: Path,
    files: Mapping[str, str],
    *,
    folder: str = "pulumi_store",
    plugin: Mapping[str, object] | None = None,
    metadata: str = "",
) -> Path:
    """Write an SDK into a site-packages folder, as pip would."""
    about = {"resource": True, "name": "store", "version": "2.5.0", **(plugin or {})}
    root = packages / folder
    write_files(root, {**files, "pulumi-plugin.json": json.dumps(about)})
    information = packages / f"{folder}-{about['version']}.dist-info"
    information.mkdir(parents=True, exist_ok=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {folder}\n{metadata}", encoding="utf-8")
    (information / "RECORD").write_text("".join(f"{folder}/{name},,\n" for name in sorted(files)), encoding="utf-8")
    return root
