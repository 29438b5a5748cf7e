// Long texts.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const user = config.get("user") ?? "web";

const thing = new probe.Thing("thing", {
    label: `#!/bin/sh
set -eu
  echo "hello ${user}" > '/tmp/{out}'
printf '100%%\\n' \\
  "\${HOME}"
`,
});

const follower = new probe.Thing("follower", {
    label: pulumi.interpolate`name: ${thing.out}
  user: ${user}

tags:
${["a", "b"].map((name) => `  - ${name}\n`).join("")}`,
});

export const single = "just one line\n";

export const quotes =
    "three \"\"\" quotes ''' and `ticks` and a \\ backslash\n";
