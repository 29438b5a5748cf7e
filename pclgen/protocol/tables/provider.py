"""Messages of provider plugins (`pulumirpc.ResourceProvider`): as far as schemas are asked for with them.

Names and numbers are facts of the protocol; a test compares them with those of the installed `pulumi` package.  The
notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "pulumirpc.ResourceProvider": """
        Handshake ProviderHandshakeRequest ProviderHandshakeResponse
        Parameterize ParameterizeRequest ParameterizeResponse
        GetSchema GetSchemaRequest GetSchemaResponse
        Cancel google.protobuf.Empty google.protobuf.Empty
        GetPluginInfo google.protobuf.Empty PluginInfo
        Attach PluginAttach google.protobuf.Empty
        GetMapping GetMappingRequest GetMappingResponse
        GetMappings GetMappingsRequest GetMappingsResponse
    """,
}

MESSAGES: Mapping[str, str] = {
    "pulumirpc.ProviderHandshakeRequest": """
        1 engine_address string
        2 root_directory optional string
        3 program_directory optional string
        4 configure_with_urn bool
        5 supports_views bool
        6 supports_refresh_before_update bool
        7 invoke_with_preview bool
        8 mapper_target optional string
        9 loader_target optional string
        10 resolver_target optional string
        11 accepts_byte_string bool
        12 sends_old_outputs_to_check bool
        13 accepts_outputs_in_invoke bool
        14 accepts_outputs_in_call bool
        15 accepts_outputs_in_check bool
    """,
    "pulumirpc.ProviderHandshakeResponse": """
        1 accept_secrets bool
        2 accept_resources bool
        3 accept_outputs bool
        4 supports_autonaming_configuration bool
        6 accepts_byte_string bool
        7 accepts_outputs_in_invoke bool
        8 accepts_outputs_in_call bool
        9 accepts_outputs_in_check bool
    """,
    "pulumirpc.ParameterizeRequest": """
        1 args ParametersArgs of parameters
        2 value ParametersValue of parameters
    """,
    "pulumirpc.ParameterizeRequest.ParametersArgs": "1 args repeated string",
    "pulumirpc.ParameterizeRequest.ParametersValue": """
        1 name string
        2 version string
        3 value bytes
    """,
    "pulumirpc.ParameterizeResponse": """
        1 name string
        2 version string
    """,
    "pulumirpc.GetSchemaRequest": """
        1 version int32
        2 subpackage_name string
        3 subpackage_version string
    """,
    "pulumirpc.GetSchemaResponse": "1 schema string",
    "pulumirpc.CallResponse": """
        1 return google.protobuf.Struct
        2 returnDependencies map<string, ReturnDependencies>
        3 failures repeated CheckFailure
    """,
    "pulumirpc.CallResponse.ReturnDependencies": "1 urns repeated string",
    "pulumirpc.CheckFailure": """
        1 property string
        2 reason string
    """,
    "pulumirpc.GetMappingRequest": """
        1 key string
        2 provider string
    """,
    "pulumirpc.GetMappingResponse": """
        1 provider string
        2 data bytes
    """,
    "pulumirpc.GetMappingsRequest": "1 key string",
    "pulumirpc.GetMappingsResponse": "1 providers repeated string",
    "pulumirpc.PluginInfo": "1 version string",
    "pulumirpc.PluginAttach": "1 address string",
}
