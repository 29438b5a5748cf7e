// Converted from the Terraform configuration `environments`: one module, called for each environment.

import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import { Network } from "./network";

function firstOf<T>(...attempts: (() => T | undefined)[]): T {
    for (const attempt of attempts) {
        try {
            const value = attempt();
            if (value !== undefined) return value;
        } catch {} // The next attempt may succeed.
    }
    throw new Error("no attempt gave a value");
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();

// Region of all environments
const region = config.get("region") ?? "ams3";

// Networks of the administrators by office
const adminAddresses = config.getObject<Record<string, string>>(
    "adminAddresses",
) ?? {
    berlin: "198.51.100.0/24",
    lisbon: "203.0.113.0/24",
};

// Sizes that differ from the smallest one, by environment
const machineSizes = config.getObject<Record<string, string>>(
    "machineSizes",
) ?? { production: "s-2vcpu-2gb" };

const staging = new Network("staging", {
    environment: "staging",
    region,
    ipRange: "10.10.0.0/16",
    adminAddresses: sortedEntries(adminAddresses).map(([, block]) => block),
    bastions: { main: {} },
});

const production = new Network("production", {
    environment: "production",
    region,
    ipRange: "10.20.0.0/16",
    adminAddresses: sortedEntries(adminAddresses).map(([, block]) => block),
    bastions: {
        blue: { size: machineSizes.production ?? "s-1vcpu-1gb" },
        green: { image: "debian-12-x64" },
    },
});

const peering = new digitalocean.VpcPeering("staging_production", {
    name: "staging-production",
    vpcIds: [staging.vpcId, production.vpcId],
});

export const bastionAddresses = {
    staging: staging.addresses,
    production: production.addresses,
};

export const entryPoint = production.addresses.apply((addresses) =>
    firstOf(
        () => addresses.blue,
        () => "none",
    ),
);

export const keyPair = {
    public: production.publicKey,
    private: production.privateKey,
};
