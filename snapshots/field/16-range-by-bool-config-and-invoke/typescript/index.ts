import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

export = async () => {
    const config = new pulumi.Config();
    const createBastion = config.getBoolean("createBastion") ?? true;
    const environment = config.get("environment") ?? "prod";

    const regions = await digitalocean.getRegions({
        filters: [
            {
                key: "available",
                values: ["true"],
            },
        ],
    });

    const keys = digitalocean.getSshKeysOutput();

    const bastion = createBastion
        ? new digitalocean.Droplet("bastion", {
              name: "bastion",
              image: "debian-12-x64",
              size: digitalocean.DropletSlug.DropletS1VCPU1GB,
              region: digitalocean.Region.AMS3,
              sshKeys: [keys.sshKeys[0].fingerprint],
          })
        : undefined;

    const audit =
        environment === "prod"
            ? new digitalocean.SpacesBucket("audit", {
                  region: digitalocean.Region.AMS3,
              })
            : undefined;

    const probe: digitalocean.UptimeCheck[] = [];
    for (const [i, region] of regions.regions.entries()) {
        probe.push(
            new digitalocean.UptimeCheck(`probe-${i}`, {
                name: `probe-${region.slug}`,
                target: `https://${region.slug}.example.com`,
            }),
        );
    }

    const perRegion: digitalocean.Vpc[] = [];
    for (let i = 0; i < regions.regions.length; i++) {
        perRegion.push(
            new digitalocean.Vpc(`perRegion-${i}`, {
                region: regions.regions[i].slug,
            }),
        );
    }

    const spread = new random.RandomShuffle("spread", { inputs: ["x", "y"] });

    const perLetter = spread.results.apply((results) =>
        Array.from(
            { length: results.length },
            (_, i) =>
                new random.RandomPet(`perLetter-${i}`, {
                    prefix: spread.results[i],
                }),
        ),
    );

    return {
        regionCount: regions.regions.length,
    };
};
