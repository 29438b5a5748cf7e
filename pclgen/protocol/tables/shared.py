"""Messages that several services use, and calls back into a program (`pulumirpc.Callbacks`).

Names and numbers are facts of the protocol; a test compares them with those of the installed `pulumi` package.  The
notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "pulumirpc.Callbacks": """
        Invoke CallbackInvokeRequest CallbackInvokeResponse
    """,
}

MESSAGES: Mapping[str, str] = {
    "pulumirpc.Callback": """
        1 target string
        2 token string
        3 accepts_byte_string bool
    """,
    "pulumirpc.CallbackInvokeRequest": """
        1 token string
        2 request bytes
    """,
    "pulumirpc.CallbackInvokeResponse": "1 response bytes",
    "pulumirpc.Alias": """
        1 urn string of alias
        2 spec Spec of alias
    """,
    "pulumirpc.Alias.Spec": """
        1 name string
        2 type string
        3 stack string
        4 project string
        5 parentUrn string of parent
        6 noParent bool of parent
    """,
    "pulumirpc.SourcePosition": """
        1 uri string
        2 line int32
        3 column int32
    """,
    "pulumirpc.StackFrame": "1 pc SourcePosition",
    "pulumirpc.StackTrace": "1 frames repeated StackFrame",
}
