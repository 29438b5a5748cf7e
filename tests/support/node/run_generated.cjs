// Runs generated programs on the published SDKs with mocks: node run_generated.cjs MODULES CASES OUTCOMES
// Each case is {folder, config}; each outcome {resources: [[type, name, inputs]], exports, error}.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const [, , modules, input, output] = process.argv;
const installed = createRequire(path.join(modules, "package.json"));
const typescript = installed("typescript");
const pulumi = installed("@pulumi/pulumi");

// What resources answer besides their inputs; as in run_generated.py.
const STATES = {
    "random:index/randomPet:RandomPet": { separator: "-", length: 2 },
    "random:index/randomPassword:RandomPassword": { result: "hush", special: true },
    "random:index/randomShuffle:RandomShuffle": { results: ["b", "a"] },
    "command:local:Command": { stdout: "out", stderr: "err" },
    "command:remote:Command": { stdout: "out", stderr: "err" },
};

function load(folder) {
    const loaded = {};
    const get = (file) => {
        if (!(file in loaded)) {
            const compiled = { exports: {} };
            loaded[file] = compiled;
            const text = fs.readFileSync(path.join(folder, file), "utf8");
            const { outputText } = typescript.transpileModule(text, { compilerOptions: { module: "commonjs", target: "es2022" } });
            const find = (name) => (name.startsWith("./") ? get(`${name.slice(2)}.ts`) : installed(name));
            new Function("module", "exports", "require", outputText)(compiled, compiled.exports, find);
        }
        return loaded[file].exports;
    };
    return get("index.ts");
}

async function run(testCase) {
    const resources = [];
    const exports = {};
    let error = "";
    try {
        await pulumi.runtime.setMocks(
            {
                newResource: (args) => {
                    resources.push([args.type, args.name, args.inputs]);
                    return { id: `${args.name}-id`, state: { ...STATES[args.type], ...args.inputs } };
                },
                call: (args) => ({ ...args.inputs, stdout: `ran ${args.inputs.command}`, stderr: "" }),
            },
            "shop",
            "dev",
            false,
            "acme",
        );
        pulumi.runtime.setAllConfig(Object.fromEntries(Object.entries(testCase.config).map(([k, v]) => [`shop:${k}`, v])));
        process.chdir(testCase.folder);
        let result = load(testCase.folder);
        if (typeof result === "function") {
            result = await result();
        }
        for (const key of Object.keys(result)) {
            exports[key] = (await pulumi.output(result[key]).promise()) ?? null;
        }
        await pulumi.runtime.disconnect(); // waits for what is still being registered
    } catch (problem) {
        error = String(problem.stack ?? problem);
    }
    return { resources, exports, error };
}

async function main() {
    const failures = [];
    process.on("unhandledRejection", (problem) => failures.push(String(problem)));
    const outcomes = [];
    for (const testCase of JSON.parse(fs.readFileSync(input, "utf8"))) {
        outcomes.push(await run(testCase));
        outcomes.at(-1).error += failures.splice(0).join("\n");
    }
    fs.writeFileSync(output, JSON.stringify(outcomes));
}

main();
