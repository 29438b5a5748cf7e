import pulumi
import pulumi_digitalocean as digitalocean

from web_server import WebServer

frontend = WebServer(
    "frontend", name="frontend", image="ubuntu-24-04-x64", tags=["web", "public"]
)

backend = WebServer("backend", name="backend", image="debian-12-x64", region="fra1")

record = digitalocean.DnsRecord(
    "record",
    domain="example.com",
    type=digitalocean.RecordType.A,
    name="www",
    value=frontend.address,
)

pulumi.export("frontendAddress", frontend.address)

pulumi.export(
    "backendUrl", pulumi.Output.format("http://{0}:{1}/", backend.address, backend.port)
)
