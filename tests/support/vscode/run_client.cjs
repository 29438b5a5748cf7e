// Runs the bundled extension against `vscode.cjs`: node run_client.cjs BUNDLE FOLDER PCLGEN SCHEMAS
// Prints what happened as JSON.
"use strict";
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const [bundle, folder, pclgen, schemas] = process.argv.slice(2);
const stub = path.join(__dirname, "vscode.cjs");
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => (name === "vscode" ? stub : resolve(name, ...rest));
const vscode = require(stub);
const { world } = vscode;

function document(name, text, languageId) {
    const uri = vscode.Uri.file(path.join(folder, name));
    return { uri, languageId, version: 1, getText: () => text, isClosed: false };
}

function open(...named) {
    const opened = document(...named);
    world.documents.push(opened);
    vscode.window.activeTextEditor = { document: opened, selection: { active: new vscode.Position(0, 23) } };
    world.events.onDidOpenTextDocument?.fire(opened);
    return opened;
}

function change(changed, text) {
    changed.version += 1;
    changed.getText = () => text;
    world.events.onDidChangeTextDocument.fire({ document: changed, contentChanges: [{ text }] });
}

/** An editor that remembers what is marked in it. */
function editor(shown) {
    const lines = (shown.text ?? shown.getText()).split("\n");
    const lineAt = (line) => ({ firstNonWhitespaceCharacterIndex: lines[line].search(/\S|$/) });
    return {
        document: { uri: shown.uri, lineAt },
        selection: { active: new vscode.Position(0, 0) },
        marked: [],
        setDecorations(_, ranges) {
            this.marked = ranges.map(({ start, end }) => [start.line, end.line]);
        },
        revealRange() {},
    };
}

/** What is marked beside `at` when its cursor is on a line. */
function partners(at, others, line) {
    at.selection.active = new vscode.Position(line, 0);
    vscode.window.visibleTextEditors = [at, ...others];
    world.events.onDidChangeTextEditorSelection.fire({ textEditor: at });
    return others.map(({ marked }) => marked);
}

/** The next diagnostics of a document that satisfy `accepts`. */
function diagnostics(of, accepts) {
    return new Promise((done) => {
        const look = () => {
            const current = world.diagnostics.get(of.uri.toString());
            if (current !== undefined && accepts(current)) {
                listener.dispose();
                done(current);
            }
        };
        const listener = (world.events.diagnostics ??= new vscode.EventEmitter()).event(look);
        look();
    });
}

const brief = (items) => items.map(({ code, range }) => [code?.value ?? code, range.start.line, range.start.character]);

async function main() {
    const seen = {};
    world.folder = folder;
    world.settings = {
        "pclgen.path": pclgen,
        "pclgen.schemas": [schemas],
        "pclgen.sources": ["files"],
    };
    world.trusted = false;
    const context = { subscriptions: [], asAbsolutePath: (name) => name };
    await require(bundle).activate(context);
    seen.untrusted = { running: world.context["pclgen.running"] ?? false, messages: [...world.messages] };

    world.trusted = true;
    world.settings["pclgen.path"] = "/nowhere/pclgen";
    await vscode.commands.executeCommand("pclgen.startServer");
    seen.missing = world.messages.splice(0);

    world.settings["pclgen.path"] = "/bin/false";
    await vscode.commands.executeCommand("pclgen.startServer");
    await new Promise((done) => setTimeout(done, 1000));
    seen.broken = world.messages.splice(0);

    world.settings["pclgen.path"] = pclgen;
    const text = fs.readFileSync(path.join(folder, "main.pp"), "utf8");
    const main = open("main.pp", text, "pcl");
    const yaml = open("yaml/Main.yaml", fs.readFileSync(path.join(folder, "yaml/Main.yaml"), "utf8"), "yaml");
    vscode.window.activeTextEditor.document = main;
    await vscode.commands.executeCommand("pclgen.restartServer");
    await vscode.commands.executeCommand("pclgen.startServer");
    seen.running = world.context["pclgen.running"];
    seen.wrong = brief(await diagnostics(main, (items) => items.length > 0));
    seen.yaml = brief(await diagnostics(yaml, (items) => items.length > 0));

    const [, line, character] = seen.wrong[0];
    vscode.window.activeTextEditor.selection.active = new vscode.Position(line, character);
    await vscode.commands.executeCommand("pclgen.explain");
    await vscode.commands.executeCommand("pclgen.explain", "PCL0101; touch x");
    seen.explained = world.shown.splice(0).map(({ uri, text }) => [uri.path, text.split("\n")[0]]);

    world.picks = ["Python"];
    await vscode.commands.executeCommand("pclgen.showGenerated");
    seen.refused = { shown: world.shown.splice(0), messages: world.messages.splice(0) };

    change(main, text.replace("nmae", "name"));
    seen.right = brief(await diagnostics(main, (items) => items.length === 0));
    world.picks = ["Python"];
    await vscode.commands.executeCommand("pclgen.showGenerated");
    for (const language of ["typescript", "go", "yaml"]) {
        await vscode.commands.executeCommand("pclgen.showGenerated", { uri: main.uri.toString(), language });
    }
    await vscode.commands.executeCommand("pclgen.showGenerated", main.uri);
    seen.generated = world.shown.map(({ uri, text }) => [uri.path, text]);

    const [program, python, go] = [main, world.shown[0], world.shown[2]].map(editor);
    seen.partners = {
        program: [0, 1, 2].map((line) => partners(program, [python, go], line)),
        go: [9, 11, 12, 16].map((line) => partners(go, [program], line)),
    };

    const provider = world.providers.get("pclgen-generated");
    const refreshed = new Promise((done) => provider.onDidChange(done));
    change(main, text.replace("nmae", "name").replace("hello", "goodbye"));
    const uri = await refreshed;
    seen.refreshed = [uri.path, await provider.provideTextDocumentContent(uri)];

    const pages = [];
    world.commands.set("simpleBrowser.show", (address) => pages.push(address));
    await vscode.commands.executeCommand("pclgen.openPage", main.uri);
    await vscode.commands.executeCommand("pclgen.openPage");
    const page = await fetch(pages[0]);
    seen.page = { same: pages[0] === pages[1], count: pages.length, text: await page.text() };
    await vscode.commands.executeCommand("pclgen.openPage", vscode.Uri.file(path.join(folder, "nowhere", "main.pp")));
    seen.noPage = world.messages.splice(0);

    await context.subscriptions[0].stop();
    seen.stopped = world.context["pclgen.running"];
    context.subscriptions.forEach((subscription) => subscription.dispose());
    process.stdout.write(JSON.stringify(seen));
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
