// A nightly backup: the job, what it may do, its settings and its password.

config schedule string {
  description = "When the backup runs, as in crontab."
  default     = "15 2 * * *"
}

config password string {
  description = "The password of the database."
  secret      = true
}

config databases "list(string)" {
  description = "What is backed up."
  default     = ["orders", "customers"]
}

resource space "kubernetes:core/v1:Namespace" {
  metadata = {
    name = "backup"
  }
}

resource settings "kubernetes:core/v1:ConfigMap" {
  metadata = {
    namespace = space.metadata.name
  }
  data = {
    databases = join(" ", databases)
    "run.sh" = <<-EOF
      #!/bin/sh
      set -eu
      for database in $DATABASES; do
        pg_dump --file "/backup/$database.sql" "$database"
      done
      EOF
  }
}

resource credentials "kubernetes:core/v1:Secret" {
  metadata = {
    namespace = space.metadata.name
  }
  type = "Opaque"
  stringData = {
    password = password
    url      = "postgres://backup:${password}@database:5432"
  }
}

resource account "kubernetes:core/v1:ServiceAccount" {
  metadata = {
    namespace = space.metadata.name
  }
}

# The job tells how it went in an event.
resource reporter "kubernetes:rbac.authorization.k8s.io/v1:Role" {
  metadata = {
    namespace = space.metadata.name
  }
  rules = [
    {
      apiGroups = ["", "events.k8s.io"]
      resources = ["events"]
      verbs     = ["create", "patch"]
    },
  ]
}

resource reporting "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding" {
  metadata = {
    namespace = space.metadata.name
  }
  roleRef = {
    apiGroup = "rbac.authorization.k8s.io"
    kind     = reporter.kind
    name     = reporter.metadata.name
  }
  subjects = [
    {
      kind      = account.kind
      name      = account.metadata.name
      namespace = space.metadata.name
    },
  ]
}

resource files "kubernetes:core/v1:PersistentVolumeClaim" {
  metadata = {
    namespace = space.metadata.name
  }
  spec = {
    accessModes = ["ReadWriteOnce"]
    resources = {
      requests = {
        storage = "20Gi"
      }
    }
  }

  options {
    protect = true
  }
}

resource backup "kubernetes:batch/v1:CronJob" {
  metadata = {
    namespace = space.metadata.name
  }
  spec = {
    schedule                   = schedule
    timeZone                   = "Etc/UTC"
    concurrencyPolicy          = "Forbid"
    successfulJobsHistoryLimit = 3
    jobTemplate = {
      spec = {
        backoffLimit = 2
        template = {
          spec = {
            serviceAccountName = account.metadata.name
            restartPolicy      = "Never"
            containers = [
              {
                name    = "backup"
                image   = "postgres:16"
                command = ["sh", "/settings/run.sh"]
                env = [
                  {
                    name = "PGPASSWORD"
                    valueFrom = {
                      secretKeyRef = {
                        name = credentials.metadata.name
                        key  = "password"
                      }
                    }
                  },
                  {
                    name = "DATABASES"
                    valueFrom = {
                      configMapKeyRef = {
                        name = settings.metadata.name
                        key  = "databases"
                      }
                    }
                  },
                ]
                volumeMounts = [
                  { name = "settings", mountPath = "/settings" },
                  { name = "backup", mountPath = "/backup" },
                ]
              },
            ]
            volumes = [
              {
                name = "settings"
                configMap = {
                  name        = settings.metadata.name
                  defaultMode = 365
                }
              },
              {
                name = "backup"
                persistentVolumeClaim = {
                  claimName = files.metadata.name
                }
              },
            ]
          }
        }
      }
    }
  }
}

output job {
  value = "${backup.metadata.namespace}/${backup.metadata.name}"
}
