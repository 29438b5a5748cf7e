// Names that mean something in a target language, or are none there.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const pulumiConfig = new pulumi.Config();
const _class = pulumiConfig.get("class") ?? "a";
const dashedName = pulumiConfig.get("dashed-name") ?? "b";

const _import = "c";
const self = "d";
const len = "e";
const err = "f";
const config = "g";
const func = "h";
const str = "i";

const lambda = new probe.Thing("lambda", { label: _class });
const pulumi_ = new probe.Thing("pulumi_", { label: dashedName });

const probeThing = new probe.Thing("probe", {
    label: `${_import}${self}${len}${err}${config}${func}${str}`,
});

const ctx = new probe.Thing("ctx", { names: ["x"] });
const HTTPServer = new probe.Thing("HTTPServer", { label: ctx.out });
const http_server = new probe.Thing("http_server", { label: HTTPServer.out });

const odd_name = lambda.out;
export { odd_name as "odd name" };
const _class2 = [probeThing.out, pulumi_.out, http_server.out];
export { _class2 as class };
