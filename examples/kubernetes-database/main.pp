// A database with its own disks, and a chart that watches it.

config replicas int {
  description = "How many servers there are."
  default     = 3
}

config storage string {
  description = "The size of each disk."
  default     = "10Gi"
}

config monitoring bool {
  description = "Whether the exporter of metrics is installed."
  default     = true
}

config password string {
  description = "The password of the database's owner."
  secret      = true
}

labels = { app = "database" }

resource credentials "kubernetes:core/v1:Secret" {
  metadata = {
    labels = labels
  }
  data = {
    password = toBase64(password)
  }
}

# Has no address of its own: it gives every server a name.
resource names "kubernetes:core/v1:Service" {
  metadata = {
    labels = labels
  }
  spec = {
    clusterIP = "None"
    selector  = labels
    ports     = [{ name = "sql", port = 5432 }]
  }
}

resource servers "kubernetes:apps/v1:StatefulSet" {
  metadata = {
    labels = labels
  }
  spec = {
    serviceName         = names.metadata.name
    replicas            = replicas
    podManagementPolicy = "OrderedReady"
    selector = {
      matchLabels = labels
    }
    template = {
      metadata = {
        labels = labels
      }
      spec = {
        terminationGracePeriodSeconds = 60
        affinity = {
          podAntiAffinity = {
            preferredDuringSchedulingIgnoredDuringExecution = [
              {
                weight = 100
                podAffinityTerm = {
                  topologyKey   = "kubernetes.io/hostname"
                  labelSelector = { matchLabels = labels }
                }
              },
            ]
          }
        }
        containers = [
          {
            name  = "postgres"
            image = "postgres:16"
            ports = [{ name = "sql", containerPort = 5432 }]
            env = [
              { name = "PGDATA", value = "/data/postgres" },
              {
                name = "POSTGRES_PASSWORD"
                valueFrom = {
                  secretKeyRef = {
                    name = credentials.metadata.name
                    key  = "password"
                  }
                }
              },
            ]
            readinessProbe = {
              exec = {
                command = ["pg_isready", "--username", "postgres"]
              }
            }
            volumeMounts = [{ name = "data", mountPath = "/data" }]
          },
        ]
      }
    }
    volumeClaimTemplates = [
      {
        metadata = {
          name = "data"
        }
        spec = {
          accessModes = ["ReadWriteOnce"]
          resources = {
            requests = { storage = storage }
          }
        }
      },
    ]
  }

  options {
    ignoreChanges = [spec.replicas]
  }
}

resource budget "kubernetes:policy/v1:PodDisruptionBudget" {
  spec = {
    minAvailable = replicas - 1
    selector = {
      matchLabels = labels
    }
  }
}

resource exporter "kubernetes:helm.sh/v4:Chart" {
  chart   = "prometheus-postgres-exporter"
  version = "6.10.2"
  repositoryOpts = {
    repo = "https://prometheus-community.github.io/helm-charts"
  }
  values = {
    config = {
      datasource = {
        host = names.metadata.name
        user = "postgres"
      }
    }
    serviceMonitor = { enabled = true }
  }

  options {
    range     = monitoring
    dependsOn = [servers]
  }
}

output service {
  value = names.metadata.name
}

output hosts {
  value = [for i in [0, 1, 2] : "${servers.metadata.name}-${i}.${names.metadata.name}" if i < replicas]
}
