"""Messages with which a program logs (`pulumirpc.Engine`).

Names and numbers are facts of the protocol; a test compares them with those of the installed `pulumi` package.  The
notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "pulumirpc.Engine": """
        Log LogRequest google.protobuf.Empty
        GetRootResource GetRootResourceRequest GetRootResourceResponse
        SetRootResource SetRootResourceRequest SetRootResourceResponse
        StartDebugging StartDebuggingRequest google.protobuf.Empty
        RequirePulumiVersion RequirePulumiVersionRequest RequirePulumiVersionResponse
    """,
}

ENUMS: Mapping[str, str] = {
    "pulumirpc.LogSeverity": """
        0 DEBUG
        1 INFO
        2 WARNING
        3 ERROR
    """,
}

MESSAGES: Mapping[str, str] = {
    "pulumirpc.LogRequest": """
        1 severity LogSeverity
        2 message string
        3 urn string
        4 streamId int32
        5 ephemeral bool
    """,
    "pulumirpc.GetRootResourceRequest": "",
    "pulumirpc.GetRootResourceResponse": "1 urn string",
    "pulumirpc.SetRootResourceRequest": "1 urn string",
    "pulumirpc.SetRootResourceResponse": "",
    "pulumirpc.StartDebuggingRequest": """
        1 config google.protobuf.Struct
        2 message string
    """,
    "pulumirpc.RequirePulumiVersionRequest": "1 pulumi_version_range string",
    "pulumirpc.RequirePulumiVersionResponse": "",
}
