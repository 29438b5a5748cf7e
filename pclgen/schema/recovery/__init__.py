"""The schema of a package, recovered from its installed Python SDK.

Comes in: site-packages folders.  Goes out: `source.InstalledSource`, whose documents find members one by one in the SDK's
source text, which is parsed and never imported (sdk-recovery).

    folders      where SDKs are installed: which packages, of which version, with which identity
    layout       what an SDK holds: tokens, classes and the folders of modules, without parsing members
    text         source files in pieces: the syntax tree of one class or function
    annotations  Python annotations as type expressions of a schema
    references   names inside annotations as references to types, enums and resources
    shapes       properties of classes: names on the wire, types, defaults, documentation
    members      resources, functions, object types and enums as members of a schema
    conventions  language information, which SDKs do not hold: naming rules and a table of exceptions
    source       all of it as a source of schemas
"""
