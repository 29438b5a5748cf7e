import pulumi
import pulumi_command as command
import pulumi_random as random

config = pulumi.Config()
class_ = config.get("class", "economy")
def_ = config.get_int("def", 1)

lambda_ = f"lambda-{class_}"
func = "func"
var = [f"t-{type_}" for type_ in ["a", "b"]]
new = {in_: of for in_, of in {"x": "1"}.items()}
default = True
none = "None"

import_ = random.RandomPet("import", prefix=lambda_)

from_ = random.RandomPet(
    "from", length=def_, keepers={"return": func, "await": import_.id}
)

interface = random.RandomString("interface", length=8, special=default)
await_ = random.RandomInteger("await", min=1, max=10)
string = random.RandomUuid("string")
len_ = random.RandomBytes("len", length=await_.result)

err = command.local.Command(
    "err", create=pulumi.Output.format("echo {0} {1}", string.result, len_.hex)
)

pulumi.export("type", from_.id)
pulumi.export("async", interface.result)
pulumi.export("print", err.stdout)
pulumi.export("package", [var, new, none])
