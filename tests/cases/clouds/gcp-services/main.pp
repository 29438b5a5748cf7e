config "project" string {
  __logicalName = "gcp:project"
}
config "services" "map(object({ image = string, cpu = optional(string), memory = optional(string), env = optional(map(string)), secrets = optional(map(string)), public = optional(bool), min = optional(number) }))" {
  default = { api = { image = "gcr.io/x/api", public = true, env = { A = "1" } } }
}
config "apis" "list(string)" { default = ["run.googleapis.com", "secretmanager.googleapis.com"] }
resource "api" "gcp:projects/service:Service" {
  options { range = { for a in apis : a => a } }
  service = range.key
  disableOnDestroy = false
}
resource "account" "gcp:serviceaccount/account:Account" {
  options { range = services }
  accountId = "run-${range.key}"
  displayName = "Cloud Run ${range.key}"
}
resource "secrets" "gcp:secretmanager/secret:Secret" {
  options {
    range = { for pair in secretPairs : pair.id => pair }
    dependsOn = api
  }
  secretId = range.key
  replication = { auto = {} }
}
secretPairs = [for s in names2 : { id = "${s}-token", service = s, value = try(services[s].secrets["token"], "none") }]
names2 = [for k, v in services : k]
resource "versions" "gcp:secretmanager/secretVersion:SecretVersion" {
  options { range = { for pair in secretPairs : pair.id => pair.value } }
  secret = secrets[range.key].id
  secretData = secret(range.value)
}
resource "run" "gcp:cloudrunv2/service:Service" {
  options {
    range = services
    dependsOn = [api["run.googleapis.com"], versions]
    ignoreChanges = [template.containers[0].image, location]
  }
  location = "europe-west1"
  ingress = "INGRESS_TRAFFIC_ALL"
  template = {
    serviceAccount = account[range.key].email
    scaling = { minInstanceCount = range.value.min, maxInstanceCount = 10 }
    containers = [{
      image = range.value.image
      resources = { limits = { cpu = range.value.cpu == null ? "1" : range.value.cpu, memory = try(range.value.memory, "512Mi") } }
      envs = [for k, v in try(range.value.env, {}) : { name = k, value = v }]
    }]
  }
}
resource "public" "gcp:cloudrunv2/serviceIamMember:ServiceIamMember" {
  options { range = { for k, s in services : k => s if s.public == true } }
  name = run[range.key].name
  location = run[range.key].location
  role = "roles/run.invoker"
  member = "allUsers"
}
resource "fn" "gcp:storage/bucketObject:BucketObject" {
  bucket = store.name
  name = "source-${sha1("v1")}.zip"
  source = assetArchive({ "main.py" = stringAsset("def main(request):\n    return \"${project}\"\n"), "lib" = fileArchive("./lib"), "remote.txt" = remoteAsset("https://example.com/x.txt") })
}
resource "store" "gcp:storage/bucket:Bucket" {
  location = "EU"
  labels = { for age in [30, 60, 90] : "age${age}" => age > 60 ? "delete" : "nearline" }
}
image = invoke("gcp:compute/getImage:getImage", { family = "debian-12", project = "debian-cloud" })
resource "vm" "gcp:compute/instance:Instance" {
  machineType = "e2-micro"
  zone = "europe-west1-b"
  bootDisk = { initializeParams = { image = image.selfLink, size = 20 } }
  networkInterfaces = [{ network = "default", accessConfigs = [{}] }]
  metadata = { "ssh-keys" = join("\n", [for k in ["a", "b"] : "${k}:ssh-rsa AAAA"]), "startup-script" = <<EOF
#!/bin/bash
set -euo pipefail
# not a PCL comment
echo "$${HOME} ${project} %%{ raw }" >> /etc/motd
%{ for k, s in services ~}
systemctl enable ${k} # ${s.image}
%{ endfor ~}
%{ if length(apis) > 1 }echo many%{ else }echo one%{ endif }
EOF
  }
}
output "urls" { value = { for k, r in run : k => r.uri } }
output "ip" { value = vm.networkInterfaces[0].accessConfigs[0].natIp }
output "emails" { value = [for a in account : a.email] }
