# Names that mean something in a target language, or are none there.

config class string {
  default = "a"
}

config "dashed-name" string {
  default = "b"
}

import = "c"
self   = "d"
len    = "e"
err    = "f"
config = "g"
func   = "h"
str    = "i"

resource lambda "probe:Thing" {
  label = class
}

resource pulumi_ "probe:Thing" {
  label = dashed-name
}

resource probe "probe:Thing" {
  label = "${import}${self}${len}${err}${config}${func}${str}"
}

resource ctx "probe:Thing" {
  names = [for type in ["x"] : type]
}

resource HTTPServer "probe:Thing" {
  label = ctx.out
}

resource http_server "probe:Thing" {
  label = HTTPServer.out
}

output "odd name" {
  value = lambda.out
}

output "class" {
  value = [probe.out, pulumi_.out, http_server.out]
}
