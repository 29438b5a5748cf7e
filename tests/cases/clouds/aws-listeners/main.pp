config "rules" "list(object({ from = number, to = optional(number), protocol = optional(string), cidrs = optional(list(string)), sources = optional(list(string)), description = optional(string) }))" {
  default = [{ from = 80, cidrs = ["0.0.0.0/0"] }, { from = 8000, to = 8100, protocol = "tcp", sources = ["sg-1"] }]
}
config "egress" any { default = [{ port = 443 }] }
config "vpcId" string {}
config "listeners" "map(object({ port = number, protocol = string, certificateArn = optional(string), rules = list(object({ paths = list(string), target = string, priority = number })) }))" {
  default = {}
}
config "subnetIds" "list(string)" {}
resource "sg" "aws:ec2/securityGroup:SecurityGroup" {
  vpcId = vpcId
  ingress = [for r in rules : {
    fromPort = r.from
    toPort = r.to != null ? r.to : r.from
    protocol = r.protocol == null ? "tcp" : r.protocol
    cidrBlocks = r.cidrs
    securityGroups = r.sources == null ? [] : r.sources
    description = "rule for ${r.from}-${r.to == null ? r.from : r.to}${r.description == null ? "" : ": ${r.description}"}"
  }]
  egress = [for i, e in egress : {
    fromPort = e.port
    toPort = e.port
    protocol = try(e.protocol, "tcp")
    cidrBlocks = try(e.cidrs, ["0.0.0.0/0"])
  }]
}
resource "lb" "aws:lb/loadBalancer:LoadBalancer" {
  securityGroups = [sg.id]
  subnets = subnetIds
  accessLogs = { bucket = logs.bucket, enabled = true }
}
resource "logs" "aws:s3/bucket:Bucket" {
 options {
 protect = true
 retainOnDelete = true
 }
}
targets = { for pair in pairs : "${pair.listener}-${pair.rule.target}" => pair... }
pairs = [for k in keys2 : { listener = k, rule = listeners[k].rules[0] } if length(listeners[k].rules) > 0]
keys2 = [for k, v in listeners : k]
resource "tg" "aws:lb/targetGroup:TargetGroup" {
  options { range = targets }
  port = 80
  protocol = "HTTP"
  vpcId = vpcId
  healthCheck = { path = range.value[0].rule.paths[0], healthyThreshold = 2, interval = 10 + length(range.value) }
}
resource "listener" "aws:lb/listener:Listener" {
  options { range = listeners }
  loadBalancerArn = lb.arn
  port = range.value.port
  protocol = range.value.protocol
  certificateArn = range.value.certificateArn
  defaultActions = [range.value.certificateArn == null ? {
    type = "fixed-response"
    fixedResponse = { contentType = "text/plain", messageBody = "not found", statusCode = 404 }
  } : {
    type = "redirect"
    redirect = { port = "443", protocol = "HTTPS", statusCode = "HTTP_301" }
  }]
}
resource "rule" "aws:lb/listenerRule:ListenerRule" {
  options { range = [for k, v in listeners : { key = k, rules = v.rules }] }
  listenerArn = listener[range.value.key].arn
  priority = range.value.rules[0].priority
  conditions = [for r in range.value.rules : { pathPattern = { values = r.paths } }]
  actions = [{ type = "forward", targetGroupArn = tg["${range.value.key}-${range.value.rules[0].target}"].arn }]
}
output "urls" { value = { for k, l in listener : k => "${l.protocol == "HTTPS" ? "https" : "http"}://${lb.dnsName}:${l.port}" } }
output "groups" { value = { for k, v in targets : k => length(v) } }
