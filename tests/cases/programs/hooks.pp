# Commands that run when something happens to a resource.

config channel string {
  default = "ops"
}

hook resource announce {
  command      = ["notify", channel, "${args.name} is there"]
  onDryRun     = false
  ignoreErrors = true
}

hook error again {
  command = ["./retry.sh", args.urn]
}

resource thing "probe:Thing" {
  label = "hooked"

  options {
    hooks = {
      afterCreate = [announce]
      afterUpdate = [announce]
      onError     = [again]
    }
  }
}
