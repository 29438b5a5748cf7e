import * as command from "@pulumi/command";
import * as crypto from "crypto";
import * as fs from "fs";

const script = new command.local.Command("script", {
    create: fs.readFileSync("main.pp", "utf8"),
    stdin: `${fs.readFileSync("main.pp", "utf8")}-${fs.readFileSync("main.pp", "base64")}`,
});

export const digest = crypto
    .createHash("sha1")
    .update(fs.readFileSync("main.pp", "utf8"))
    .digest("hex");
