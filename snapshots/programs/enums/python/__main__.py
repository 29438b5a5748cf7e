# Values from a fixed list, given as text and as something computed.

from typing import cast

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
mode = config.get("mode", "slow")
quick = config.get_bool("quick", True)

literal = probe.Thing("literal", en=probe.Mode.FAST, relaxed=probe.Mode.SLOW)
open_ = probe.Thing("open", relaxed="something else")
computed = probe.Thing("computed", en=probe.Mode(mode), relaxed=mode)
chosen = probe.Thing("chosen", en=probe.Mode.FAST if quick else probe.Mode.SLOW)
passed = probe.Thing("passed", en=cast(pulumi.Output[probe.Mode], literal.en))

pulumi.export("same", literal.en.apply(lambda en: en == "fast"))
