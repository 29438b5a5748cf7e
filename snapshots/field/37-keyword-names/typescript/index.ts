import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const _class = config.get("class") ?? "economy";
const def = config.getNumber("def") ?? 1;

const lambda = `lambda-${_class}`;
const func = "func";
const _var = ["a", "b"].map((type) => `t-${type}`);
const _new = Object.fromEntries(Object.entries({ x: "1" }));
const _default = true;
const none = "None";

const _import = new random.RandomPet("import", { prefix: lambda });

const from = new random.RandomPet("from", {
    length: def,
    keepers: {
        return: func,
        await: _import.id,
    },
});

const _interface = new random.RandomString("interface", {
    length: 8,
    special: _default,
});

const _await = new random.RandomInteger("await", {
    min: 1,
    max: 10,
});

const string = new random.RandomUuid("string");
const len = new random.RandomBytes("len", { length: _await.result });

const err = new command.local.Command("err", {
    create: pulumi.interpolate`echo ${string.result} ${len.hex}`,
});

export const type = from.id;
export const async = _interface.result;
export const print = err.stdout;
const _package = [_var, _new, none];
export { _package as package };
