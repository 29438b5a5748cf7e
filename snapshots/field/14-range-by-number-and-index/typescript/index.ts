import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as github from "@pulumi/github";
import * as random from "@pulumi/random";
import * as tls from "@pulumi/tls";

const passwords: random.RandomPassword[] = [];
for (let i = 0; i < 3; i++) {
    passwords.push(
        new random.RandomPassword(`passwords-${i}`, {
            length: 16 + i,
            special: false,
        }),
    );
}

const keys: tls.PrivateKey[] = [];
for (let i = 0; i < 2; i++) {
    keys.push(
        new tls.PrivateKey(`keys-${i}`, {
            algorithm: "RSA",
            rsaBits: 4096,
        }),
    );
}

const sshKey = new digitalocean.SshKey("sshKey", {
    name: "deploy",
    publicKey: keys[0].publicKeyOpenssh,
});

const secretOne = new github.ActionsSecret("secretOne", {
    repository: "shop",
    secretName: "DB_PASSWORD",
    value: passwords[1].result,
});

const mixed = new command.local.Command("mixed", {
    create: pulumi.interpolate`echo ${passwords[0].length}-${keys[1].algorithm}`,
});

export const last = passwords[2].bcryptHash;
export const pems = [keys[0].publicKeyPem, keys[1].publicKeyPem];
