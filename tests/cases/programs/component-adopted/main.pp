# A component with options that SDKs name for custom resources.
component part "./part" {
  label = "l"
  options {
    protect                 = true
    import                  = "existing"
    deleteBeforeReplace     = true
    additionalSecretOutputs = [label]
  }
}

output label {
  value = part.shown
}
