// A web server: its configuration, the deployment, a service in front of it, and more copies when it is busy.

config image string {
  description = "The image of the web server."
  default     = "nginx:1.27"
}

config replicas int {
  description = "How many copies run at least."
  default     = 2
}

config public bool {
  description = "Whether a load balancer of the cloud stands in front."
  default     = false
}

labels = {
  "app.kubernetes.io/name"       = "web"
  "app.kubernetes.io/managed-by" = "pulumi"
}

resource settings "kubernetes:core/v1:ConfigMap" {
  metadata = {
    labels = labels
  }
  data = {
    "default.conf" = <<-EOF
      server {
        listen 8080;
        location /healthz { return 204; }
        location / { root /usr/share/nginx/html; }
      }
      EOF
  }
}

resource web "kubernetes:apps/v1:Deployment" {
  metadata = {
    labels = labels
    annotations = {
      "pulumi.com/skipAwait" = "false"
    }
  }

  spec = {
    replicas = replicas
    selector = {
      matchLabels = labels
    }
    strategy = {
      type = "RollingUpdate"
      rollingUpdate = {
        maxSurge       = 1
        maxUnavailable = "25%"
      }
    }
    template = {
      metadata = {
        labels = labels
      }
      spec = {
        containers = [
          {
            name  = "web"
            image = image
            ports = [{ name = "http", containerPort = 8080 }]
            resources = {
              requests = { cpu = "50m", memory = "64Mi" }
              limits   = { memory = "128Mi" }
            }
            readinessProbe = {
              httpGet = {
                path = "/healthz"
                port = "http"
              }
              periodSeconds = 5
            }
            livenessProbe = {
              tcpSocket = {
                port = 8080
              }
              initialDelaySeconds = 10
            }
            volumeMounts = [{ name = "settings", mountPath = "/etc/nginx/conf.d", readOnly = true }]
          },
        ]
        volumes = [
          {
            name = "settings"
            configMap = {
              name = settings.metadata.name
            }
          },
        ]
      }
    }
  }
}

resource front "kubernetes:core/v1:Service" {
  metadata = {
    labels = web.metadata.labels
  }
  spec = {
    type     = public ? "LoadBalancer" : "ClusterIP"
    selector = labels
    ports    = [{ name = "http", port = 80, targetPort = "http" }]
  }
}

resource scaling "kubernetes:autoscaling/v2:HorizontalPodAutoscaler" {
  spec = {
    minReplicas = replicas
    maxReplicas = 10 * replicas
    scaleTargetRef = {
      apiVersion = web.apiVersion
      kind       = web.kind
      name       = web.metadata.name
    }
    metrics = [
      {
        type = "Resource"
        resource = {
          name = "cpu"
          target = {
            type               = "Utilization"
            averageUtilization = 70
          }
        }
      },
    ]
  }
}

output address {
  value = public ? front.status.loadBalancer.ingress[0].hostname : front.spec.clusterIP
}

output deployment {
  value = web.metadata.name
}
