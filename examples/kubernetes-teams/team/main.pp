config name string {
  description = "The name of the team."
}

config cpu string {
  description = "How many processors its containers may use together."
}

config memory string {
  description = "How much memory its containers may use together."
}

config admins "list(string)" {
  description = "Users who may change everything in the namespace."
  default     = []
}

resource space "kubernetes:core/v1:Namespace" {
  metadata = {
    name = "team-${name}"
    labels = {
      team = name
    }
  }
}

resource quota "kubernetes:core/v1:ResourceQuota" {
  metadata = {
    namespace = space.metadata.name
  }
  spec = {
    hard = {
      "requests.cpu"    = cpu
      "requests.memory" = memory
      pods              = "50"
    }
  }
}

resource defaults "kubernetes:core/v1:LimitRange" {
  metadata = {
    namespace = space.metadata.name
  }
  spec = {
    limits = [
      {
        type           = "Container"
        default        = { memory = "256Mi" }
        defaultRequest = { cpu = "100m", memory = "128Mi" }
      },
    ]
  }
}

resource fence "kubernetes:networking.k8s.io/v1:NetworkPolicy" {
  metadata = {
    namespace = space.metadata.name
  }
  spec = {
    podSelector = {}
    policyTypes = ["Ingress"]
    ingress = [
      {
        from = [
          {
            namespaceSelector = {
              matchExpressions = [
                {
                  key      = "team"
                  operator = "In"
                  values   = [name, "platform"]
                },
              ]
            }
          },
        ]
      },
    ]
  }
}

resource administration "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding" {
  metadata = {
    namespace = space.metadata.name
  }
  roleRef = {
    apiGroup = "rbac.authorization.k8s.io"
    kind     = "ClusterRole"
    name     = "admin"
  }
  subjects = [
    for user in admins : {
      apiGroup = "rbac.authorization.k8s.io"
      kind     = "User"
      name     = user
    }
  ]
}

output namespace {
  value = space.metadata.name
}

output limits {
  value = quota.spec.hard
}
