// A password for a database account. Raise `generation` to have a new one made.

import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const generation = config.getNumber("generation") ?? 1;

const account = new random.RandomPet("account", { prefix: "app" });

const password = new random.RandomPassword("password", {
    length: 24,
    overrideSpecial: "!#%*-_",
    keepers: { generation: String(generation) },
});

// psql reads the statement from its standard input, so that the password is in no process list.
const grant = new command.local.Command(
    "grant",
    {
        create: "psql --quiet",
        delete: pulumi.interpolate`psql --quiet --command 'DROP ROLE IF EXISTS "${account.id}"'`,
        stdin: pulumi.interpolate`CREATE ROLE "${account.id}" LOGIN PASSWORD '${password.result}';`,
        logging: command.local.Logging.None,
        environment: {
            PGHOST: "db.example.com",
            PGCONNECT_TIMEOUT: "10",
        },
        // A changed password needs a new role: the old one is dropped first.
        triggers: [password.result],
    },
    { deleteBeforeReplace: true },
);

export const accountName = account.id;
export const accountPassword = pulumi.secret(password.result);
