// Runs generated TypeScript programs on the Pulumi SDK: node node_worker.cjs NODE_MODULES
//
// Comes in: one job a line on standard input, as JSON: {folder, log, monitor, project, stack, organization, preview, config,
// secret_keys}.  Goes out: one line a job on standard output, {status, last}; what the program prints goes to the file `log`.
//
// Programs run one after the other in this process, in the way in which the SDK's automation API runs inline programs: each
// in a local store of its own, which holds all state of the SDK.  Their own modules are loaded afresh.  After a program that
// had to be given up the process ends, since work of that program may be left; whoever gives the jobs starts another one.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const modules = process.argv[2];
const sdk = path.join(modules, "@pulumi", "pulumi");
const typescript = require(path.join(modules, "typescript"));
const errors = require(path.join(sdk, "errors"));
const log = require(path.join(sdk, "log"));
const config = require(path.join(sdk, "runtime", "config"));
const settings = require(path.join(sdk, "runtime", "settings"));
const stack = require(path.join(sdk, "runtime", "stack"));
const state = require(path.join(sdk, "runtime", "state"));

// Stacks name the lines of the TypeScript.
process.setSourceMapsEnabled(true);

const FAILED = 1;
// Milliseconds that a program has after an error that it does not handle: it may wait forever for what the error took away.
const GRACE = 1000;
// Turns of the event loop after the calls of a failed program have ended, in which its other failures become known.
const LAST_TURNS = 10;
const reply = process.stdout.write.bind(process.stdout);
let logFile = "";
// Only what is said between two jobs has nowhere to go.
const toLog = (chunk, encoding, done) => {
    if (logFile !== "") {
        fs.appendFileSync(logFile, chunk);
    }
    const callback = typeof encoding === "function" ? encoding : done;
    callback?.();
    return true;
};
process.stdout.write = toLog;
process.stderr.write = toLog;

// Types are checked elsewhere; here the program is only turned into JavaScript, as package.json of a CommonJS package says.
require.extensions[".ts"] = (module, file) => {
    const { outputText } = typescript.transpileModule(fs.readFileSync(file, "utf8"), {
        fileName: file,
        compilerOptions: {
            module: typescript.ModuleKind.CommonJS,
            target: typescript.ScriptTarget.ES2022,
            esModuleInterop: true,
            inlineSourceMap: true,
        },
    });
    module._compile(outputText, file);
};

async function load(folder) {
    for (const name of Object.keys(require.cache)) {
        if (name.startsWith(folder + path.sep)) {
            delete require.cache[name];
        }
    }
    const found = require(path.join(folder, "index.ts"));
    return await (found instanceof Function ? found() : found);
}

function turn() {
    return new Promise(setImmediate);
}

function run(job) {
    process.chdir(job.folder);
    process.env.PULUMI_NODEJS_ROOT_DIRECTORY = job.folder;
    const seen = new Set();
    let giveUp;
    const over = new Promise((resolve) => {
        giveUp = () => resolve(false);
    });
    return state.withLocalStorage(async () => {
        const uncaught = (error) => {
            if (seen.has(error)) {
                return;
            }
            seen.add(error);
            const shown = errors.RunError.isInstance(error) ? error.message : error?.stack || error?.message || String(error);
            if (!errors.isGrpcError(error)) {
                log.error(shown);
            }
            process.stderr.write((error?.stack || shown) + "\n");
            setTimeout(giveUp, GRACE);
        };
        settings.resetOptions(job.project, job.stack, 16, job.monitor, job.monitor, job.preview, job.organization);
        config.setAllConfig(job.config, job.secret_keys);
        process.on("uncaughtException", uncaught);
        process.on("unhandledRejection", uncaught);
        const whole = async () => {
            try {
                await stack.runInPulumiStack(() => load(job.folder));
                // What was left unhandled is reported in a turn of its own.
                await turn();
                await settings.disconnect(true);
            } catch (error) {
                uncaught(error);
                await settings.disconnect(false).catch(uncaught);
            }
            return true;
        };
        const ended = await Promise.race([whole(), over]);
        for (let count = 0; seen.size > 0 && count < LAST_TURNS; count += 1) {
            await turn();
        }
        process.off("uncaughtException", uncaught);
        process.off("unhandledRejection", uncaught);
        return { status: seen.size > 0 || log.hasErrors() ? FAILED : 0, last: !ended };
    });
}

// Without a listener, an error after the end of its program would end this process, and with it the next program.
for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, () => {});
}

async function main() {
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const job = JSON.parse(line);
        logFile = job.log;
        const result = await run(job);
        logFile = "";
        await new Promise((done) => reply(JSON.stringify(result) + "\n", done));
        if (result.last) {
            break;
        }
    }
    process.exit(0);
}

main().catch(() => process.exit(1));
