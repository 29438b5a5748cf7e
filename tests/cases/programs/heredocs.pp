# Long texts.

config user string {
  default = "web"
}

resource thing "probe:Thing" {
  label = <<-EOT
    #!/bin/sh
    set -eu
      echo "hello ${user}" > '/tmp/{out}'
    printf '100%%\n' \
      "$${HOME}"
    EOT
}

resource follower "probe:Thing" {
  label = <<EOT
name: ${thing.out}
  user: ${user}

tags:
%{ for name in ["a", "b"] ~}
  - ${name}
%{ endfor ~}
EOT
}

output single {
  value = <<EOT
just one line
EOT
}

output quotes {
  value = <<EOT
three """ quotes ''' and `ticks` and a \ backslash
EOT
}
