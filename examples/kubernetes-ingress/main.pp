// One entrance for several services, with its certificate.

config domain string {
  description = "The domain of all services."
}

config services "map(object({path = string, image = string, port = int}))" {
  description = "The services by name."
  default = {
    shop = { path = "/", image = "registry.example.com/shop:4", port = 3000 }
    api  = { path = "/api", image = "registry.example.com/api:17", port = 8080 }
  }
}

config certificate string {
  description = "The certificate of the domain, in PEM."
}

config privateKey string {
  description = "The key of the certificate, in PEM."
  secret      = true
}

resource workload "kubernetes:apps/v1:Deployment" {
  metadata = {
    name = range.key
  }
  spec = {
    selector = {
      matchLabels = { app = range.key }
    }
    template = {
      metadata = {
        labels = { app = range.key }
      }
      spec = {
        containers = [
          {
            name  = range.key
            image = range.value.image
            ports = [{ containerPort = range.value.port }]
            securityContext = {
              runAsNonRoot             = true
              allowPrivilegeEscalation = false
              capabilities             = { drop = ["ALL"] }
            }
          },
        ]
      }
    }
  }

  options {
    range = services
  }
}

resource endpoint "kubernetes:core/v1:Service" {
  metadata = {
    name = range.key
  }
  spec = {
    selector = { app = range.key }
    ports    = [{ port = 80, targetPort = range.value.port, protocol = "TCP" }]
  }

  options {
    range = services
  }
}

resource pair "kubernetes:core/v1:Secret" {
  type = "kubernetes.io/tls"
  stringData = {
    "tls.crt" = certificate
    "tls.key" = privateKey
  }
}

resource entrance "kubernetes:networking.k8s.io/v1:Ingress" {
  metadata = {
    annotations = {
      "nginx.ingress.kubernetes.io/ssl-redirect" = "true"
    }
  }
  spec = {
    ingressClassName = "nginx"
    tls              = [{ hosts = [domain], secretName = pair.metadata.name }]
    rules = [
      {
        host = domain
        http = {
          paths = [
            for name, service in services : {
              path     = service.path
              pathType = "Prefix"
              backend = {
                service = {
                  name = name
                  port = { number = 80 }
                }
              }
            }
          ]
        }
      },
    ]
  }

  options {
    dependsOn = [endpoint]
  }
}

output url {
  value = "https://${domain}/"
}

output address {
  value = try(entrance.status.loadBalancer.ingress[0].ip, "pending")
}
