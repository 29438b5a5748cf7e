# Every option of a resource.

resource base "probe:Thing" {
}

resource special "pulumi:providers:probe" {
  region = "north"
}

resource full "probe:Thing" {
  __logicalName = "full-name"
  label         = "all options"

  options {
    parent                  = base
    provider                = special
    dependsOn               = [base]
    protect                 = true
    retainOnDelete          = true
    deleteBeforeReplace     = true
    ignoreChanges           = [label, obj.s, tags["a.b"], list[0].n]
    replaceOnChanges        = [size]
    hideDiffs               = [names]
    additionalSecretOutputs = [out]
    version                 = "1.0.0"
    pluginDownloadURL       = "https://example.com/plugins"
    import                  = "an-id"
    deletedWith             = base
    replaceWith             = [base]
    replacementTrigger      = base.out

    customTimeouts = {
      create = "5m"
      delete = "1h"
    }

    aliases = [
      "urn:pulumi:dev::project::probe:index:Thing::old",
      { name = "former" },
      { name = "moved", noParent = true },
    ]
  }
}
