"""Messages of a language host (`pulumirpc.LanguageRuntime`): those that are read or answered here, and diagnostics.

Its other methods are passed on as bytes (`protocol.relay`).  Names and numbers are facts; a test compares them
with those of the installed `pulumi` package.  The notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "pulumirpc.LanguageRuntime": """
        Handshake LanguageHandshakeRequest LanguageHandshakeResponse
        GetPluginInfo google.protobuf.Empty PluginInfo
        GenerateProgram GenerateProgramRequest GenerateProgramResponse
        GenerateProject GenerateProjectRequest GenerateProjectResponse
        Link LinkRequest LinkResponse
        Run RunRequest RunResponse
        Cancel google.protobuf.Empty google.protobuf.Empty
    """,
}

MESSAGES: Mapping[str, str] = {
    "pulumirpc.codegen.Pos": """
        1 line int64
        2 column int64
        3 byte int64
    """,
    "pulumirpc.codegen.Range": """
        1 filename string
        2 start Pos
        3 end Pos
    """,
    "pulumirpc.codegen.Diagnostic": """
        1 severity DiagnosticSeverity
        2 summary string
        3 detail string
        4 subject Range
        5 context Range
    """,
    "pulumirpc.LanguageHandshakeRequest": """
        1 engine_address string
        2 root_directory optional string
        3 program_directory optional string
    """,
    "pulumirpc.LanguageHandshakeResponse": "",
    "pulumirpc.GenerateProgramRequest": """
        1 source map<string, string>
        2 loader_target string
        3 strict bool
        4 mapper_target string
    """,
    "pulumirpc.GenerateProgramResponse": """
        1 diagnostics repeated pulumirpc.codegen.Diagnostic
        2 source map<string, bytes>
    """,
    "pulumirpc.GenerateProjectRequest": """
        1 source_directory string
        2 target_directory string
        3 project string
        4 strict bool
        5 loader_target string
        6 local_dependencies map<string, string>
        7 mapper_target string
    """,
    "pulumirpc.GenerateProjectResponse": "1 diagnostics repeated pulumirpc.codegen.Diagnostic",
    "pulumirpc.ProgramInfo": """
        1 root_directory string
        2 program_directory string
        3 entry_point string
        4 options google.protobuf.Struct
    """,
    "pulumirpc.PackageParameterization": """
        1 name string
        2 version string
        3 value bytes
    """,
    "pulumirpc.PackageDependency": """
        1 name string
        2 kind string
        3 version string
        4 server string
        5 checksums map<string, bytes>
        6 parameterization PackageParameterization
        7 extension PackageParameterization
    """,
    "pulumirpc.LinkRequest": """
        1 info ProgramInfo
        2 loader_target string
        3 packages repeated LinkDependency
    """,
    "pulumirpc.LinkRequest.LinkDependency": """
        1 package PackageDependency
        2 path string
    """,
    "pulumirpc.RunRequest": """
        1 project string
        2 stack string
        3 pwd string
        4 program string
        5 args repeated string
        6 config map<string, string>
        7 dryRun bool
        8 parallel int32
        9 monitor_address string
        10 queryMode bool
        11 configSecretKeys repeated string
        12 organization string
        13 configPropertyMap google.protobuf.Struct
        14 info ProgramInfo
        15 loader_target string
        16 attach_debugger bool
        17 mapper_target string
    """,
    "pulumirpc.RunResponse": """
        1 error string
        2 bail bool
    """,
    "pulumirpc.LinkResponse": "1 import_instructions string",
}

ENUMS: Mapping[str, str] = {
    "pulumirpc.codegen.DiagnosticSeverity": """
        0 DIAG_INVALID
        1 DIAG_ERROR
        2 DIAG_WARNING
    """,
}
