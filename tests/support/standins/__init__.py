"""Small stand-in SDKs, rendered from Pulumi schemas, for packages that no registry holds.

Comes in: schema files.  Goes out: SDK sources with the names, types and signatures of those that would be published, and
bodies that only register.  Nothing here imports the back ends of pclgen or its schema reader: the rules are written anew, so
that a mistake of the generator meets a stand-in that does not share it.
"""
