import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_github as github
import pulumi_random as random

config = pulumi.Config()
buckets = config.get_object("buckets", ["logs", "media"])
records = config.get_object("records", {"www": "203.0.113.10", "mail": "203.0.113.11"})

zone = "example.org"

domain = digitalocean.Domain("domain", name=zone)

bucket = [
    digitalocean.SpacesBucket(
        f"bucket-{i}",
        name=f"acme-{value}",
        region=digitalocean.Region.AMS3,
        acl="private" if i == 0 else "public-read",
    )
    for i, value in enumerate(buckets)
]

record = {
    key: digitalocean.DnsRecord(
        f"record-{key}",
        domain=domain.name,
        type=digitalocean.RecordType.A,
        name=key,
        value=value,
        ttl=300,
    )
    for key, value in sorted(records.items())
}

team = {
    key: github.Team(
        f"team-{key}", name=key, description=value["about"], privacy=value["privacy"]
    )
    for key, value in sorted(
        {
            "developers": {"privacy": "closed", "about": "Writes code"},
            "operators": {"privacy": "secret", "about": "Runs code"},
        }.items()
    )
}

pets = [
    random.RandomPet(f"pets-{i}", prefix=value)
    for i, value in enumerate(["cat", "dog"])
]

pulumi.export("firstBucket", bucket[0].endpoint)
pulumi.export("www", record["www"].fqdn)
pulumi.export("devTeam", team["developers"].slug)
