# Names that mean something in a target language, or are none there.

import pulumi
import pulumi_probe as probe

pulumi_config = pulumi.Config()
class_ = pulumi_config.get("class", "a")
dashed_name = pulumi_config.get("dashed-name", "b")

import_ = "c"
self_ = "d"
len_ = "e"
err = "f"
config = "g"
func = "h"
str_ = "i"

lambda_ = probe.Thing("lambda", label=class_)
pulumi_ = probe.Thing("pulumi_", label=dashed_name)

probe_thing = probe.Thing(
    "probe", label=f"{import_}{self_}{len_}{err}{config}{func}{str_}"
)

ctx = probe.Thing("ctx", names=[type_ for type_ in ["x"]])
http_server = probe.Thing("HTTPServer", label=ctx.out)
http_server_thing = probe.Thing("http_server", label=http_server.out)

pulumi.export("odd name", lambda_.out)
pulumi.export("class", [probe_thing.out, pulumi_.out, http_server_thing.out])
