"""Messages of a service that has schemas (`codegen.Loader`).

Names and numbers are facts of the protocol; a test compares them with those of the installed `pulumi` package.  The
notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "codegen.Loader": """
        GetSchema GetSchemaRequest GetSchemaResponse
    """,
}

MESSAGES: Mapping[str, str] = {
    "codegen.Parameterization": """
        1 name string
        2 version string
        3 value bytes
    """,
    "codegen.GetSchemaRequest": """
        1 package string
        2 version string
        3 download_url string
        4 parameterization Parameterization
    """,
    "codegen.GetSchemaResponse": "1 schema bytes",
}
