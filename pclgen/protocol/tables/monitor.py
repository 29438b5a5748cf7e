"""Messages with which a program registers its resources (`pulumirpc.ResourceMonitor`).

Names and numbers are facts of the protocol; a test compares them with those of the installed `pulumi` package.  The
notation is described in `protocol.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "pulumirpc.ResourceMonitor": """
        GetDeploymentInfo google.protobuf.Empty DeploymentInfo
        SupportsFeature SupportsFeatureRequest SupportsFeatureResponse
        Invoke ResourceInvokeRequest ResourceInvokeResponse
        Call ResourceCallRequest CallResponse
        ReadResource ReadResourceRequest ReadResourceResponse
        ExistsResource ExistsResourceRequest ExistsResourceResponse
        RegisterResource RegisterResourceRequest RegisterResourceResponse
        RegisterResourceOutputs RegisterResourceOutputsRequest google.protobuf.Empty
        RegisterStackTransform Callback google.protobuf.Empty
        RegisterStackInvokeTransform Callback google.protobuf.Empty
        RegisterResourceHook RegisterResourceHookRequest google.protobuf.Empty
        RegisterErrorHook RegisterErrorHookRequest google.protobuf.Empty
        RegisterPackage RegisterPackageRequest RegisterPackageResponse
        SignalAndWaitForShutdown google.protobuf.Empty google.protobuf.Empty
    """,
}

ENUMS: Mapping[str, str] = {
    "pulumirpc.ResourceMonitorFeature": """
        0 RESOURCE_MONITOR_FEATURE_SECRETS
        1 RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES
        2 RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES
        3 RESOURCE_MONITOR_FEATURE_ALIAS_SPECS
        4 RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER
        5 RESOURCE_MONITOR_FEATURE_DELETED_WITH
        6 RESOURCE_MONITOR_FEATURE_REPLACE_WITH
        7 RESOURCE_MONITOR_FEATURE_TRANSFORMS
        8 RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS
        9 RESOURCE_MONITOR_FEATURE_PARAMETERIZATION
        10 RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS
        11 RESOURCE_MONITOR_FEATURE_ERROR_HOOKS
        12 RESOURCE_MONITOR_FEATURE_SENDS_OPTIONS_TO_HOOKS
        13 RESOURCE_MONITOR_FEATURE_BYTE_STRING
        14 RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON
        15 RESOURCE_MONITOR_FEATURE_INVOKE_PARENT
        16 RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS
        17 RESOURCE_MONITOR_FEATURE_INVOKE_OUTPUT_VALUES
        18 RESOURCE_MONITOR_FEATURE_CALL_OUTPUT_VALUES
    """,
    "pulumirpc.Result": """
        0 SUCCESS
        1 FAIL
    """,
}

MESSAGES: Mapping[str, str] = {
    "pulumirpc.DeploymentInfo": """
        1 project string
        2 stack string
        3 organization string
        4 config map<string, string>
        5 configSecretKeys repeated string
        6 dryRun bool
        7 parallel int32
        8 supportedFeatures repeated ResourceMonitorFeature
    """,
    "pulumirpc.SupportsFeatureRequest": "1 id string",
    "pulumirpc.SupportsFeatureResponse": "1 hasSupport bool",
    "pulumirpc.ReadResourceRequest": """
        1 id string
        2 type string
        3 name string
        4 parent string
        5 properties google.protobuf.Struct
        6 dependencies repeated string
        7 provider string
        8 version string
        9 acceptSecrets bool
        10 additionalSecretOutputs repeated string
        12 acceptResources bool
        13 pluginDownloadURL string
        14 sourcePosition SourcePosition
        15 pluginChecksums map<string, bytes>
        16 packageRef string
        17 stackTrace StackTrace
        18 parentStackTraceHandle string
        19 accepts_byte_string bool
    """,
    "pulumirpc.ReadResourceResponse": """
        1 urn string
        2 properties google.protobuf.Struct
        3 result Result
        4 unknown bool
        5 id string
    """,
    "pulumirpc.ExistsResourceRequest": """
        1 type string
        2 id string
        3 parent string
        4 properties google.protobuf.Struct
        5 provider string
        6 version string
        7 pluginDownloadURL string
        8 pluginChecksums map<string, bytes>
        9 packageRef string
    """,
    "pulumirpc.ExistsResourceResponse": """
        1 exists bool
        2 unknown bool
    """,
    "pulumirpc.RegisterResourceRequest": """
        1 type string
        2 name string
        3 parent string
        4 custom bool
        5 object google.protobuf.Struct
        6 protect optional bool
        7 dependencies repeated string
        8 provider string
        9 propertyDependencies map<string, PropertyDependencies>
        10 deleteBeforeReplace bool
        11 version string
        12 ignoreChanges repeated string
        13 acceptSecrets bool
        14 additionalSecretOutputs repeated string
        15 aliasURNs repeated string
        16 importId string
        17 customTimeouts CustomTimeouts
        18 deleteBeforeReplaceDefined bool
        19 supportsPartialValues bool
        20 remote bool
        21 acceptResources bool
        22 providers map<string, string>
        23 replaceOnChanges repeated string
        24 pluginDownloadURL string
        25 retainOnDelete optional bool
        26 aliases repeated Alias
        27 deletedWith string
        28 aliasSpecs bool
        29 sourcePosition SourcePosition
        30 pluginChecksums map<string, bytes>
        31 transforms repeated Callback
        32 supportsResultReporting bool
        33 packageRef string
        34 hooks optional ResourceHooksBinding
        35 stackTrace StackTrace
        36 parentStackTraceHandle string
        37 hideDiffs repeated string
        38 replace_with repeated string
        39 replacement_trigger google.protobuf.Value
        40 snippetId string
        41 envVarMappings map<string, string>
        42 accepts_byte_string bool
        43 state_migrations repeated Callback
    """,
    "pulumirpc.RegisterResourceRequest.PropertyDependencies": "1 urns repeated string",
    "pulumirpc.RegisterResourceRequest.CustomTimeouts": """
        1 create string
        2 update string
        3 delete string
        4 read string
    """,
    "pulumirpc.RegisterResourceRequest.ResourceHooksBinding": """
        1 before_create repeated string
        2 after_create repeated string
        3 before_update repeated string
        4 after_update repeated string
        5 before_delete repeated string
        6 after_delete repeated string
        7 on_error repeated string
    """,
    "pulumirpc.RegisterResourceResponse": """
        1 urn string
        2 id string
        3 object google.protobuf.Struct
        4 stable bool
        5 stables repeated string
        6 propertyDependencies map<string, PropertyDependencies>
        7 result Result
        8 unknown bool
    """,
    "pulumirpc.RegisterResourceResponse.PropertyDependencies": "1 urns repeated string",
    "pulumirpc.RegisterResourceOutputsRequest": """
        1 urn string
        2 outputs google.protobuf.Struct
    """,
    "pulumirpc.ResourceInvokeRequest": """
        1 tok string
        2 args google.protobuf.Struct
        3 provider string
        4 version string
        5 acceptResources bool
        6 pluginDownloadURL string
        7 sourcePosition SourcePosition
        8 pluginChecksums map<string, bytes>
        9 packageRef string
        10 stackTrace StackTrace
        11 parentStackTraceHandle string
        12 accepts_byte_string bool
        13 dependsOn repeated string
        15 parent string
        16 accept_output_values bool
    """,
    "pulumirpc.ResourceInvokeResponse": """
        1 return google.protobuf.Struct
        2 failures repeated CheckFailure
        3 unknown bool
    """,
    "pulumirpc.ResourceCallRequest": """
        1 tok string
        2 args google.protobuf.Struct
        3 argDependencies map<string, ArgumentDependencies>
        4 provider string
        5 version string
        13 pluginDownloadURL string
        15 sourcePosition SourcePosition
        16 pluginChecksums map<string, bytes>
        17 packageRef string
        18 stackTrace StackTrace
        19 parentStackTraceHandle string
        20 accepts_byte_string bool
        21 accept_output_values bool
    """,
    "pulumirpc.ResourceCallRequest.ArgumentDependencies": "1 urns repeated string",
    "pulumirpc.TransformResourceOptions": """
        1 depends_on repeated string
        2 protect optional bool
        3 ignore_changes repeated string
        4 replace_on_changes repeated string
        5 version string
        6 aliases repeated Alias
        7 provider string
        8 custom_timeouts RegisterResourceRequest.CustomTimeouts
        9 plugin_download_url string
        10 retain_on_delete optional bool
        11 deleted_with string
        12 delete_before_replace optional bool
        13 additional_secret_outputs repeated string
        14 providers map<string, string>
        15 plugin_checksums map<string, bytes>
        16 hooks RegisterResourceRequest.ResourceHooksBinding
        17 import string
        18 hide_diff repeated string
        19 replace_with repeated string
        20 replacement_trigger google.protobuf.Value
    """,
    "pulumirpc.ResourceOptions": """
        1 depends_on repeated string
        2 protect optional bool
        3 ignore_changes repeated string
        4 replace_on_changes repeated string
        5 version string
        6 aliases repeated Alias
        7 provider string
        8 custom_timeouts RegisterResourceRequest.CustomTimeouts
        9 plugin_download_url string
        10 retain_on_delete optional bool
        11 deleted_with string
        12 delete_before_replace optional bool
        13 additional_secret_outputs repeated string
        14 providers map<string, string>
        15 plugin_checksums map<string, bytes>
        16 hooks RegisterResourceRequest.ResourceHooksBinding
        17 import string
        18 hide_diff repeated string
        19 replace_with repeated string
        20 replacement_trigger google.protobuf.Value
        21 parent string
    """,
    "pulumirpc.TransformRequest": """
        1 type string
        2 name string
        3 custom bool
        4 parent string
        5 properties google.protobuf.Struct
        6 options TransformResourceOptions
    """,
    "pulumirpc.TransformResponse": """
        1 properties google.protobuf.Struct
        2 options TransformResourceOptions
    """,
    "pulumirpc.TransformInvokeRequest": """
        1 token string
        2 args google.protobuf.Struct
        3 options TransformInvokeOptions
    """,
    "pulumirpc.TransformInvokeResponse": """
        1 args google.protobuf.Struct
        2 options TransformInvokeOptions
    """,
    "pulumirpc.TransformInvokeOptions": """
        1 provider string
        2 plugin_download_url string
        3 version string
        4 plugin_checksums map<string, bytes>
    """,
    "pulumirpc.StateMigrationRequest": """
        1 urn string
        2 old_state bytes
    """,
    "pulumirpc.StateMigrationResponse": """
        1 new_state bytes
        2 successors map<string, string>
    """,
    "pulumirpc.ResourceHookRequest": """
        1 urn string
        2 id string
        3 name string
        4 type string
        5 new_inputs google.protobuf.Struct
        6 old_inputs google.protobuf.Struct
        7 new_outputs google.protobuf.Struct
        8 old_outputs google.protobuf.Struct
        9 old_options optional ResourceOptions
        10 new_options optional ResourceOptions
    """,
    "pulumirpc.ResourceHookResponse": "1 error string",
    "pulumirpc.ErrorHookRequest": """
        1 urn string
        2 id string
        3 name string
        4 type string
        5 new_inputs google.protobuf.Struct
        6 old_inputs google.protobuf.Struct
        7 old_outputs google.protobuf.Struct
        8 failed_operation string
        9 errors repeated string
        10 old_options ResourceOptions
        11 new_options ResourceOptions
    """,
    "pulumirpc.ErrorHookResponse": """
        1 error string
        2 retry bool
    """,
    "pulumirpc.RegisterPackageRequest": """
        1 name string
        2 version string
        3 download_url string
        4 checksums map<string, bytes>
        5 parameterization Parameterization
        6 extension Parameterization
    """,
    "pulumirpc.RegisterPackageResponse": "1 ref string",
    "pulumirpc.Parameterization": """
        1 name string
        2 version string
        3 value bytes
    """,
    "pulumirpc.RegisterResourceHookRequest": """
        1 name string
        2 callback Callback
        3 on_dry_run bool
        4 ignore_errors bool
    """,
    "pulumirpc.RegisterErrorHookRequest": """
        1 name string
        2 callback Callback
    """,
}
