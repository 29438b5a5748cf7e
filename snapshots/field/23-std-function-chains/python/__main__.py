import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random
import pulumi_std as std

config = pulumi.Config()
cidr = config.get("cidr", "10.20.0.0/16")
csv = config.get("csv", "name,port\nweb,80\napi,8080")

subnet = std.cidrsubnet_output(input=cidr, newbits=4, netnum=2).result
host = std.cidrhost_output(input=subnet, host=5).result
rows = std.csvdecode_output(input=csv).result

title = std.title_output(
    input=std.replace_output(text="hello-world", search="-", replace=" ").result
).result

message = std.format_output(
    input="%s has %d subnets", args=title.apply(lambda title: [title, 4])
).result

merged = std.merge_output(input=[{"a": "1", "b": "2"}, {"b": "3"}]).result
parts = std.split_output(separator=",", text="x,y,z").result
flat = std.flatten_output(input=[["a"], ["b", "c"]]).result

vpc = digitalocean.Vpc("vpc", region="nyc3", ip_range=subnet, description=message)

pet = random.RandomPet(
    "pet",
    prefix=std.lower_output(
        input=std.join_output(separator="-", input=parts).result
    ).result,
)

encoded = digitalocean.SpacesBucketObject(
    "encoded",
    bucket="b",
    key="k",
    region="nyc3",
    content_base64=std.base64encode_output(input=pet.id).result,
    etag=std.md5_output(input="static").result,
)

pulumi.export("host", host)
pulumi.export("firstRow", rows[0]["name"])
pulumi.export("merged", merged)
pulumi.export("flat", flat)

pulumi.export(
    "shout",
    std.upper_output(input=pulumi.Output.format("{0}-{1}", vpc.region, pet.id)).result,
)
