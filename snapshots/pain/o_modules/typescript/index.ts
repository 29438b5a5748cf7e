import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const local = new command.local.Command("local", { create: "hostname" });

const remote = new command.remote.Command("remote", {
    create: local.stdout,
    connection: { host: "example.org" },
});

const commandRandomPet = new random.RandomPet("command", {
    prefix: remote.stdout,
});
