import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const name = config.require("name");

export const a = `#!/bin/bash
echo \`date\` \${HOME} "${name}" \\n 'q' """
${name === "x" ? "yes" : "no"}
`;

export const b =
    'tick ` dollar ${x} pct %{y} quote " back \\ tab \t nl \n uni é';
