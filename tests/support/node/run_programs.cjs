// Runs generated programs on the real SDK with mocks: node run_programs.cjs MODULES SCHEMA CASES OUTCOMES
// Each case is {files: {path: text}, config: {key: value}, states: {resource: outputs}}; each outcome {resources, exports, secrets, error}.
"use strict";
const fs = require("fs");
const path = require("path");
const [, , modules, schemaPath, input, output] = process.argv;
const typescript = require(path.join(modules, "typescript"));
const schema = JSON.parse(fs.readFileSync(schemaPath, "utf8"));

const member = (token) => token.split(":").pop();
const camel = (name) => name.charAt(0).toLowerCase() + name.slice(1);

// The SDK of the schema's package: classes whose outputs are declared, functions in their output forms.
function standIn(pulumi) {
    const sdk = { Provider: class extends pulumi.ProviderResource {} };
    for (const [token, resource] of Object.entries(schema.resources)) {
        const outputs = Object.keys(resource.properties ?? {});
        const base = resource.isComponent ? pulumi.ComponentResource : pulumi.CustomResource;
        const type = class extends base {
            constructor(name, args, opts) {
                const known = Object.fromEntries(outputs.map((key) => [key, undefined]));
                super(token, name, { ...known, ...args }, opts, resource.isComponent);
            }
            static get(name, id, state, opts) {
                return new type(name, state ?? {}, { ...opts, id });
            }
            describe(args) {
                return pulumi.output(args).apply((values) => ({ text: `described ${values?.style}` }));
            }
            async measure() {
                return 7;
            }
        };
        sdk[member(token)] = type;
    }
    for (const token of Object.keys(schema.functions)) {
        if (member(token).includes("/")) {
            continue;
        }
        const { multiArgumentInputs } = schema.functions[token];
        sdk[camel(member(token)) + "Output"] = (...parameters) => {
            const args = multiArgumentInputs
                ? Object.fromEntries(multiArgumentInputs.map((name, at) => [name, parameters[at]]))
                : (parameters[0] ?? {});
            return pulumi.output(args).apply((known) =>
                member(token) === "scalar" ? "scalar" : { ...known, result: JSON.stringify(known), names: ["n1", "n2"], list: ["l1"] },
            );
        };
    }
    for (const [token, type] of Object.entries(schema.types)) {
        if (type.enum) {
            sdk[member(token)] = Object.fromEntries(type.enum.map((e) => [e.name ?? String(e.value), e.value]));
        }
    }
    return sdk;
}

function freshSdk() {
    for (const key of Object.keys(require.cache)) {
        if (key.includes(`${path.sep}@pulumi${path.sep}pulumi${path.sep}`)) {
            delete require.cache[key];
        }
    }
    return require(path.join(modules, "@pulumi", "pulumi"));
}

async function runCase(testCase, pulumi) {
    const resources = [];
    const runtime = pulumi.runtime;
    await runtime.setMocks(
        {
            newResource: (args) => {
                resources.push({ type: args.type, name: args.name, inputs: args.inputs });
                const base = { out: `${args.name}-out`, int: 5, num: 2.5, flag: true, names: ["x", "y"], list: ["b", "a"] };
                const known = testCase.states?.[args.name];
                if (known) {
                    return { id: known.id, state: { ...args.inputs, ...known } };
                }
                const state = { ...base, tags: { z: "1", a: "2" }, obj: { s: "deep", n: 1 }, en: "fast", ...args.inputs };
                return { id: `${args.name}-id`, state };
            },
            call: (args) => args.inputs,
        },
        "test",
        "dev",
        false,
        "acme",
    );
    runtime.setAllConfig(Object.fromEntries(Object.entries(testCase.config).map(([k, v]) => [`test:${k}`, v])));
    const loaded = {};
    const load = (file) => {
        if (!(file in loaded)) {
            const module = { exports: {} };
            loaded[file] = module;
            const compiled = typescript.transpileModule(testCase.files[file], {
                compilerOptions: { module: "commonjs", target: "es2022", esModuleInterop: false },
            });
            const resolve = (name) => {
                if (name === "@pulumi/pulumi") return pulumi;
                if (name === `@pulumi/${schema.name}`) return standIn(pulumi);
                if (name.startsWith("./")) return load(name.slice(2) + ".ts");
                return require(name);
            };
            new Function("module", "exports", "require", compiled.outputText)(module, module.exports, resolve);
        }
        return loaded[file].exports;
    };
    const exports = {};
    const secrets = [];
    let error = "";
    try {
        let result = load("index.ts");
        if (typeof result === "function") {
            result = await result();
        }
        for (const key of Object.keys(result)) {
            const value = pulumi.output(result[key]);
            exports[key] = (await value.promise()) ?? null;
            if (await value.isSecret) {
                secrets.push(key);
            }
        }
        await runtime.disconnect();
    } catch (problem) {
        error = String(problem?.message ?? problem);
    }
    return { resources, exports: JSON.parse(JSON.stringify(exports, plain)), secrets, error };
}

// Assets, and resources by their type, are enough to recognise them.
function plain(key, value) {
    if (value && value.__pulumiResource) return `resource ${value.__pulumiType}`;
    if (value && value.__pulumiAsset) return "asset";
    return value;
}

async function main() {
    const outcomes = [];
    for (const testCase of JSON.parse(fs.readFileSync(input, "utf8"))) {
        outcomes.push(await runCase(testCase, freshSdk()));
    }
    fs.writeFileSync(output, JSON.stringify(outcomes));
    process.exit(0);
}

process.on("unhandledRejection", () => {});
main();
