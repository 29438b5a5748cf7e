// Values from a fixed list, given as text and as something computed.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const mode = config.get("mode") ?? "slow";
const quick = config.getBoolean("quick") ?? true;

const literal = new probe.Thing("literal", {
    en: probe.Mode.Fast,
    relaxed: probe.Mode.Slow,
});

const open = new probe.Thing("open", { relaxed: "something else" });

const computed = new probe.Thing("computed", {
    en: mode as probe.Mode,
    relaxed: mode,
});

const chosen = new probe.Thing("chosen", {
    en: quick ? probe.Mode.Fast : probe.Mode.Slow,
});

const passed = new probe.Thing("passed", { en: literal.en.apply((en) => en!) });

export const same = literal.en.apply((en) => en === "fast");
