config "roles" "map(object({ services = list(string), managed = optional(list(string)), inline = optional(map(any)), maxHours = optional(number) }))" {
  default = {
    api = { services = ["lambda.amazonaws.com"], managed = ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"] }
    "ci-runner" = { services = ["ec2.amazonaws.com", "ssm.amazonaws.com"], maxHours = 12 }
  }
}
config "externalId" string { secret = true }
config "boundary" string { nullable = true }
caller = invoke("aws:index/getCallerIdentity:getCallerIdentity", {})
partition = invoke("aws:index/getPartition:getPartition", {})
assume = { for name, role in roles : name => toJSON({
  Version = "2012-10-17"
  Statement = [{
    Effect = "Allow"
    Action = "sts:AssumeRole"
    Principal = { Service = role.services }
    Condition = { StringEquals = { "sts:ExternalId" = externalId } }
  }]
}) }
resource "role" "aws:iam/role:Role" {
  options { range = roles }
  name = "${stack()}-${range.key}"
  assumeRolePolicy = assume[range.key]
  maxSessionDuration = try(range.value.maxHours * 3600, 3600)
  permissionsBoundary = boundary == null ? null : "arn:${partition.partition}:iam::${caller.accountId}:policy/${boundary}"
}
attachments = { for pair in flat : "${pair.role}/${pair.index}" => pair }
flat = [for name, role in roles : { role = name, index = 0, arn = role.managed[0] } if role.managed != null]
resource "attach" "aws:iam/rolePolicyAttachment:RolePolicyAttachment" {
  options { range = attachments }
  role = role[range.value.role].name
  policyArn = range.value.arn
}
resource "inline" "aws:iam/rolePolicy:RolePolicy" {
  options { range = { for k, v in roles : k => v.inline if v.inline != null } }
  role = role[range.key].id
  policy = toJSON({ Version = "2012-10-17", Statement = [for sid, s in range.value : { Sid = sid, Effect = try(s.effect, "Allow"), Action = s.actions, Resource = try(s.resources, ["*"]) }] })
}
doc = invoke("aws:iam/getPolicyDocument:getPolicyDocument", {
  statements = [
    { sid = "AllowList", actions = ["s3:ListBucket"], resources = ["arn:aws:s3:::${bucket.bucket}"]
      conditions = [{ test = "StringLike", variable = "s3:prefix", values = ["", "home/", "home/&{aws:username}/"] }] },
    { actions = ["s3:*"], resources = ["${bucket.arn}/home/$${aws:username}/*"], principals = [{ type = "AWS", identifiers = [for r in role : r.arn] }] }
  ]
})
resource "bucket" "aws:s3/bucket:Bucket" {
  forceDestroy = stack() != "prod"
}
resource "policy" "aws:s3/bucketPolicy:BucketPolicy" {
  bucket = bucket.id
  policy = doc.json
}
resource "raw" "aws:iam/policy:Policy" {
  path = "/"
  policy = <<-EOT
  {
    "Version": "2012-10-17",
    "Statement": [
      {
        "Action": ["s3:GetObject"],
        "Effect": "Allow",
        "Resource": "${bucket.arn}/*",
        "Condition": {"StringLike": {"aws:PrincipalTag/x": "$${aws:username}\n"}}
      }
    ]
  }
  EOT
}
output "roleArns" { value = { for k, r in role : k => r.arn } }
output "policyText" { value = raw.policy }
