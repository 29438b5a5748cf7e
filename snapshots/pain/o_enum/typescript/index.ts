import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

const config = new pulumi.Config();
const quiet = config.getBoolean("quiet") ?? false;

const literal = new command.local.Command("literal", {
    create: "true",
    logging: command.local.Logging.StdoutAndStderr,
});

const chosen = new command.local.Command("chosen", {
    create: "true",
    logging: quiet ? command.local.Logging.None : command.local.Logging.Stderr,
});

const passed = new command.local.Command("passed", {
    create: "true",
    logging: literal.logging.apply((logging) => logging!),
});
