config "location" string { default = "westeurope" }
config "environment" "'dev' | 'test' | 'prod'" { default = "dev" }
config "sku" "object({ name = string, tier = optional(string), capacity = optional(int) })" { default = { name = "B1" } }
config "appSettings" "map(string)" { default = {} }
config "kind" string { default = "StorageV2" }
config "ipRules" "list(object({ name = string, ip = string, priority = optional(int) }))" { default = [] }
config "https" bool { default = true }
prefix = "app-${environment}"
isProd = environment == "prod"
resource "rg" "azure-native:resources:ResourceGroup" {
  location = location
  tags = { env = environment, cost = isProd ? "high" : null }
}
resource "account" "azure-native:storage:StorageAccount" {
  resourceGroupName = rg.name
  accountName = "st${environment}001"
  kind = kind
  sku = { name = isProd ? "Standard_GRS" : "Standard_LRS" }
  enableHttpsTrafficOnly = https
  networkRuleSet = {
    defaultAction = "Deny"
    bypass = "AzureServices"
    ipRules = [for r in ipRules : { iPAddressOrRange = r.ip }]
  }
  encryption = {
    keySource = "Microsoft.Storage"
    services = { blob = { enabled = true, keyType = "Account" }, file = { enabled = true } }
  }
}
keys = invoke("azure-native:storage:listStorageAccountKeys", { accountName = account.name, resourceGroupName = rg.name })
connection = secret("DefaultEndpointsProtocol=https;AccountName=${account.name};AccountKey=${keys.keys[0].value};EndpointSuffix=core.windows.net")
resource "plan" "azure-native:web:AppServicePlan" {
  resourceGroupName = rg.name
  kind = "Linux"
  reserved = true
  sku = { name = sku.name, tier = sku.tier, capacity = sku.capacity }
}
resource "app" "azure-native:web:WebApp" {
  options {
    ignoreChanges = [siteConfig.appSettings, tags]
  }
  resourceGroupName = rg.name
  serverFarmId = plan.id
  httpsOnly = https
  identity = { type = "SystemAssigned" }
  siteConfig = {
    alwaysOn = sku.name != "F1"
    linuxFxVersion = "DOCKER|nginx:1.27"
    ftpsState = "Disabled"
    appSettings = [for k, v in appSettings : { name = k, value = v }]
    ipSecurityRestrictions = [for i, r in ipRules : { name = r.name, ipAddress = r.ip, action = "Allow", priority = r.priority == null ? 100 + i : r.priority }]
    connectionStrings = [{ name = "storage", connectionString = connection, type = "Custom" }]
  }
}
resource "vault" "azure-native:keyvault:Vault" {
  resourceGroupName = rg.name
  properties = {
    tenantId = client.tenantId
    sku = { family = "A", name = isProd ? "premium" : "standard" }
    accessPolicies = [{ tenantId = client.tenantId, objectId = app.identity.principalId, permissions = { secrets = ["get", "list"] } }]
  }
}
client = invoke("azure-native:authorization:getClientConfig", {})
resource "assignment" "azure-native:authorization:RoleAssignment" {
  options { range = isProd }
  principalId = app.identity.principalId
  principalType = "ServicePrincipal"
  roleDefinitionId = "/subscriptions/${client.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/b24988ac"
  scope = rg.id
}
output "endpoint" { value = "https://${app.defaultHostName}" }
output "blob" { value = account.primaryEndpoints.blob }
output "key" { value = keys.keys[0].value }
output "assignment" { value = assignment.id }
