"""The schema of a package, recovered from its installed Python SDK.

The documents of `source.InstalledSource` find members one by one in the SDK's source text, which is parsed and never
imported (sdk-recovery).

    folders      installed SDKs: their packages, versions and identities
    layout       the content of an SDK: tokens, classes and the folders of modules; the syntax tree of one class or function
    annotations  Python annotations as type expressions of a schema, and the types, enums and resources that they name
    members      resources, functions, object types and enums as members of a schema, with the properties of their classes
    conventions  language information, which SDKs do not contain: naming rules and a table of exceptions
    source       all of it as a source of schemas
"""
