config subnets "list(string)" { default = null }
config user "object({path=string, size=optional(number)})" {}
config users "map(object({name=string}))" {}
config flag bool { default = true }
config n number { default = 3 }
config text string { default = "some" }
config i int {}
output p { value = user.path }
output u { value = users }
output s { value = subnets }
output ii { value = i }
output f { value = flag ? "on" : "off" }
output nn { value = n }
output t { value = text }
