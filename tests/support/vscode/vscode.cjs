// The part of VS Code's API that the extension and its client use.  Names of API that only registers something, or that only
// has to exist, are made up on use.
"use strict";
const path = require("node:path");
const url = require("node:url");

class Disposable {
    constructor(dispose = () => {}) {
        this.dispose = dispose;
    }
    static from(...all) {
        return new Disposable(() => all.forEach((disposable) => disposable.dispose()));
    }
}

class EventEmitter {
    listeners = new Set();
    event = (listener, self) => {
        const bound = (value) => listener.call(self, value);
        this.listeners.add(bound);
        return new Disposable(() => this.listeners.delete(bound));
    };
    fire(value) {
        [...this.listeners].forEach((listener) => listener(value));
    }
    dispose() {
        this.listeners.clear();
    }
}

class Uri {
    constructor(parts) {
        Object.assign(this, { scheme: "", authority: "", path: "", query: "", fragment: "" }, parts);
    }
    static from(parts) {
        return new Uri(parts);
    }
    static file(file) {
        return new Uri({ scheme: "file", path: path.resolve(file) });
    }
    static parse(text) {
        const parsed = new URL(text);
        return new Uri({
            scheme: parsed.protocol.slice(0, -1),
            authority: parsed.host,
            path: decodeURIComponent(parsed.pathname),
            query: decodeURIComponent(parsed.search.slice(1)),
        });
    }
    get fsPath() {
        return this.path;
    }
    toString() {
        if (this.scheme === "file") return url.pathToFileURL(this.path).href;
        const host = this.authority && `//${this.authority}`;
        return `${this.scheme}:${host}${encodeURI(this.path)}${this.query && `?${encodeURIComponent(this.query)}`}`;
    }
}

class Position {
    constructor(line, character) {
        Object.assign(this, { line, character });
    }
    isBeforeOrEqual(other) {
        return this.line < other.line || (this.line === other.line && this.character <= other.character);
    }
}

class Range {
    constructor(start, end, endLine, endCharacter) {
        this.start = start instanceof Position ? start : new Position(start, end);
        this.end = start instanceof Position ? end : new Position(endLine, endCharacter);
    }
    contains(position) {
        return this.start.isBeforeOrEqual(position) && position.isBeforeOrEqual(this.end);
    }
}

class CancellationTokenSource {
    #emitter = new EventEmitter();
    token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };
    cancel() {
        this.token.isCancellationRequested = true;
        this.#emitter.fire();
    }
    dispose() {}
}

class CodeActionKind {
    constructor(value) {
        this.value = value;
    }
    append(part) {
        return new CodeActionKind(this.value === "" ? part : `${this.value}.${part}`);
    }
    static Empty = new CodeActionKind("");
    static QuickFix = new CodeActionKind("quickfix");
}

class Diagnostic {
    constructor(range, message, severity) {
        Object.assign(this, { range, message, severity });
    }
}

/** What a test sees and steers. */
const world = {
    trusted: true,
    settings: {},
    folder: "",
    messages: [],
    log: [],
    shown: [],
    picks: [],
    context: {},
    commands: new Map(),
    providers: new Map(),
    diagnostics: new Map(),
    documents: [],
    events: {},
};

const event = (name) => (world.events[name] ??= new EventEmitter()).event;

/** `known`, with an event for each name `onX` and a made-up function for any other name. */
const area = (known) =>
    new Proxy(known, {
        get(target, name) {
            if (name in target || typeof name === "symbol") return target[name];
            return name.startsWith("on") ? event(name) : () => new Disposable();
        },
    });

const matches = (selector, document) =>
    [selector].flat().some((filter) => {
        if (filter.scheme && filter.scheme !== document.uri.scheme) return false;
        if (filter.language && filter.language !== document.languageId) return false;
        return !filter.pattern || /(^|\/)(Pulumi|Main)\.ya?ml$/.test(document.uri.path);
    });

const log = (text) => world.log.push(String(text));

const tell = async (message) => {
    world.messages.push(message);
};

const api = {
    Disposable,
    EventEmitter,
    Uri,
    Position,
    Range,
    CancellationTokenSource,
    CodeActionKind,
    Diagnostic,
    CancellationError: class extends Error {},
    version: "1.91.0",
    env: { language: "en", appName: "Test", openExternal: async () => true, asExternalUri: async (uri) => uri },
    LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
    ProgressLocation: { Window: 10 },
    ViewColumn: { Beside: -2 },
    TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    commands: {
        registerCommand(name, handler) {
            if (world.commands.has(name)) throw new Error(`command '${name}' already exists`);
            world.commands.set(name, handler);
            return new Disposable(() => world.commands.delete(name));
        },
        async executeCommand(name, ...args) {
            if (name === "setContext") world.context[args[0]] = args[1];
            else return world.commands.get(name)(...args);
        },
    },
    languages: area({
        match: (selector, document) => (matches(selector, document) ? 10 : 0),
        createDiagnosticCollection: () => ({
            set: (uri, items) => {
                world.diagnostics.set(uri.toString(), items);
                event("diagnostics");
                world.events.diagnostics.fire(uri.toString());
            },
            delete: (uri) => world.diagnostics.delete(uri.toString()),
            clear: () => world.diagnostics.clear(),
            has: (uri) => world.diagnostics.has(uri.toString()),
            get: (uri) => world.diagnostics.get(uri.toString()),
            dispose() {},
        }),
        getDiagnostics: (uri) => world.diagnostics.get(uri.toString()) ?? [],
    }),
    window: area({
        activeTextEditor: undefined,
        visibleTextEditors: [],
        tabGroups: { all: [], onDidChangeTabs: event("onDidChangeTabs") },
        createOutputChannel: () => area({ append: log, appendLine: log, info: log, warn: log, error: log, logLevel: 3 }),
        showInformationMessage: tell,
        showWarningMessage: tell,
        showErrorMessage: tell,
        showQuickPick: async (items) => {
            const pick = world.picks.shift();
            return items.find((item) => (item.label ?? item) === pick);
        },
        showTextDocument: async (uri) => {
            const document = { uri, text: await world.providers.get(uri.scheme).provideTextDocumentContent(uri) };
            world.shown.push(document);
            world.documents.push(document);
        },
    }),
    workspace: area({
        get isTrusted() {
            return world.trusted;
        },
        get workspaceFolders() {
            return [{ uri: Uri.file(world.folder), name: "test", index: 0 }];
        },
        get textDocuments() {
            return world.documents;
        },
        notebookDocuments: [],
        getConfiguration: (section) => ({
            get: (name, otherwise) => world.settings[`${section}.${name}`] ?? otherwise,
            inspect: () => undefined,
        }),
        createFileSystemWatcher: () => area({ dispose() {} }),
        registerTextDocumentContentProvider(scheme, provider) {
            world.providers.set(scheme, provider);
            return new Disposable(() => world.providers.delete(scheme));
        },
    }),
};

// Classes and enumerations that only have to exist.
const NAMES = `
    CallHierarchyItem CodeAction CodeActionTriggerKind CodeLens CompletionItem CompletionItemKind
    CompletionItemTag CompletionList CompletionTriggerKind DiagnosticRelatedInformation DocumentHighlight
    DocumentHighlightKind DocumentLink DocumentSymbol FileType FoldingRange FoldingRangeKind Hover InlayHint
    InlayHintLabelPart Location MarkdownString NotebookCellKind ParameterInformation RelativePattern
    SelectionRange SemanticTokens SemanticTokensEdit SemanticTokensEdits SignatureHelp SignatureHelpTriggerKind
    SignatureInformation SnippetString SymbolInformation SymbolKind SymbolTag TabInputCustom TabInputNotebook
    TabInputText TabInputTextDiff TextDocumentSaveReason TextEdit ThemeColor TypeHierarchyItem WorkspaceEdit
`;
for (const name of NAMES.trim().split(/\s+/)) api[name] = class {};

module.exports = { ...api, world };
