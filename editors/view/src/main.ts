/** The page of `pclgen view`: the program on one side, what it becomes on the other, and what is known of it below. */

import { EditorView } from "@codemirror/view";
import type { EditorState } from "@codemirror/state";
import type {
  Asked,
  Content,
  Dated,
  Drawing,
  Excerpt,
  Generated,
  GeneratedFile,
  Item,
  Language,
  Mapping,
  Place,
  Problem,
  Problems,
  Run,
  SourceText,
  Unreadable,
} from "./content.js";
import { light, mark, stateOf, type Stretch } from "./editor.js";
import { element, showTabs } from "./elements.js";
import { withExcerpt } from "./excerpt.js";
import { fields } from "./form.js";
import { Graph } from "./graph.js";
import { filesIn, fragmentOf } from "./link.js";
import { runTree } from "./run.js";

/** Milliseconds without a key before the program is compiled. */
const PAUSE = 120;
/** Milliseconds without a key before a large program is compiled. */
const LONG_PAUSE = 500;
const PANELS = {
  problems: "Problems",
  graph: "Graph",
  run: "Run",
  config: "Configuration",
};
type Panel = keyof typeof PANELS;

class Page {
  /** The newest content, without its parts. */
  private content: Content;
  /** The texts that the problems are of. */
  private of: string;
  private readonly generated = new Map<string, Generated>();
  private drawing: Dated<Drawing> | null = null;
  private run: Dated<Run | null> | null = null;
  private readonly states = new Map<string, EditorState>();
  private readonly texts = new Map<string, string>();
  private readonly values: Map<string, string>;
  private preview = false;
  private source: string;
  private language = "";
  private output = "";
  private panel: Panel = "problems";
  /** Ends the requests that a newer edit overtakes. */
  private pending = new AbortController();
  private timer = 0;

  private readonly left: EditorView;
  private readonly right: EditorView;
  private readonly graph: Graph;
  private readonly parts = {
    status: element("p", { id: "status", role: "status" }),
    sources: element("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "Files of the program",
    }),
    source: element("div", {
      class: "code",
      id: "source",
      role: "tabpanel",
      "aria-label": "Program",
    }),
    languages: element("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "Languages",
    }),
    outputs: element("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "Generated files",
    }),
    output: element("div", {
      class: "code",
      id: "output",
      role: "tabpanel",
      "aria-label": "Generated code",
    }),
    refused: element("div", { class: "panel", hidden: true }),
    panels: element("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "About the program",
    }),
    problems: element("div", { class: "panel" }),
    graph: element("div", { class: "panel" }),
    run: element("div", { class: "panel" }),
    tree: element("div"),
    config: element("form", { class: "panel" }),
  };

  constructor(
    content: Content,
    private readonly live: boolean,
    private readonly nonce: string,
  ) {
    this.content = content;
    this.values = new Map(Object.entries(content.config?.values ?? {}));
    this.source = content.files[0]?.name ?? "";
    this.language = Object.keys(content.titles)[0] ?? "";
    this.of = JSON.stringify(this.wants().files);
    const { parts } = this;
    const link = element("button", { type: "button", hidden: !live }, "Copy link");
    link.addEventListener("click", () => void this.link());
    document.body.append(
      element("header", {}, element("h1", {}, content.name), parts.status, link),
      element(
        "main",
        {},
        element("section", { class: "side", "aria-label": "Program" }, parts.sources, parts.source),
        element(
          "section",
          { class: "side", "aria-label": "Generated code" },
          parts.languages,
          parts.outputs,
          parts.output,
          parts.refused,
        ),
      ),
      element(
        "section",
        { class: "below", id: "below", "aria-label": "About the program" },
        parts.panels,
        parts.problems,
        parts.graph,
        parts.run,
        parts.config,
      ),
    );
    parts.run.append(this.previewBox(), parts.tree);
    this.left = new EditorView({ parent: parts.source, extensions: EditorView.cspNonce.of(nonce) });
    this.right = new EditorView({ parent: parts.output, extensions: EditorView.cspNonce.of(nonce) });
    this.graph = new Graph(parts.graph, (place) => this.open(place));
    parts.config.addEventListener("submit", (event) => event.preventDefault());
    this.openSource(this.source);
    this.show(content, this.wants());
    this.showConfiguration();
    addEventListener("hashchange", () => void this.load());
    void this.load().then(() => this.compile());
  }

  // ------------------------------------------------------------------------------------------------- compiling

  private wants(): Asked {
    const files = Object.fromEntries(this.content.files.map((file) => [file.name, this.textOf(file)]));
    return {
      files: { ...files, ...Object.fromEntries(this.texts) },
      config: Object.fromEntries(this.values),
      preview: this.preview,
    };
  }

  private textOf(file: SourceText): string {
    return this.texts.get(file.name) ?? file.text;
  }

  private compileSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.compile(), PAUSE);
  }

  /** Ask for what the page shows, in a small program for everything; what is known of these texts already stays. */
  private async compile(): Promise<void> {
    if (!this.live) {
      return;
    }
    this.pending.abort();
    const { signal } = (this.pending = new AbortController());
    const wants = this.wants();
    const of = JSON.stringify(wants.files);
    if (this.content.large && of !== this.of) {
      const parts = [this.language];
      const problems = await this.ask<Problems | Unreadable>("problems", { ...wants, parts }, signal);
      if (problems !== null && "diagnostics" in problems) {
        this.of = of;
        this.showExcerpt(problems.excerpt);
        this.showDiagnostics({ ...this.content, diagnostics: problems.diagnostics });
      }
      await new Promise((done) => setTimeout(done, LONG_PAUSE));
    }
    const lacking = this.lacking(of, runOf(wants));
    for (const parts of this.content.large ? lacking.map((part) => [part]) : lacking.length > 0 ? [lacking] : []) {
      const content = signal.aborted
        ? null
        : await this.ask<Content | Unreadable>("content", { ...wants, parts }, signal);
      if (content === null) {
        return;
      }
      if ("problem" in content) {
        this.say(content.problem);
        return;
      }
      this.show(content, wants, parts);
    }
  }

  /** The parts that are not known of these texts, and the run of these values: visible ones, in a small program all. */
  private lacking(of: string, runOf: string): readonly string[] {
    const { large, titles } = this.content;
    const languages = Object.keys(titles).filter((name) => !this.isWhole(name, of));
    return [
      ...languages.filter((name) => !large || name === this.language),
      ...(this.drawing?.of !== of && (!large || this.panel === "graph") ? ["graph"] : []),
      ...(this.run?.of !== runOf && (!large || this.panel === "run") ? ["run"] : []),
    ];
  }

  /** Whether the code of the whole program in a language is that of certain texts. */
  private isWhole(language: string, of: string): boolean {
    const generated = this.generated.get(language);
    return generated?.of === of && generated.value === generated.whole;
  }

  /** The answer of the server; null if there is none, or if nobody waits for it any more. */
  private async ask<T>(action: string, body: object, signal: AbortSignal): Promise<T | null> {
    try {
      const response = await fetch(action, {
        method: "POST",
        body: JSON.stringify(body),
        signal,
      });
      if (response.ok) {
        const answer = (await response.json()) as T;
        return signal.aborted ? null : answer;
      }
      this.say(`pclgen refused the request (${response.status}); reload the page`);
    } catch {
      if (!signal.aborted) {
        this.say("pclgen does not answer; start `pclgen view` again");
      }
    }
    return null;
  }

  private async complete(offset: number, signal: AbortSignal): Promise<readonly Item[]> {
    const { files } = this.wants();
    return (await this.ask<readonly Item[]>("complete", { files, file: this.source, offset }, signal)) ?? [];
  }

  private say(text: string): void {
    this.parts.status.textContent = text;
  }

  // ------------------------------------------------------------------------------------------------- showing

  /** Show the content of certain texts and values, with its parts. */
  private show(content: Content, wants: Asked, parts: readonly string[] = []): void {
    const before = JSON.stringify(this.content.config?.schema);
    this.of = JSON.stringify(wants.files);
    for (const [name, value] of Object.entries(content.languages)) {
      this.generated.set(name, { of: this.of, value, version: content.version, whole: value });
    }
    if (content.graph !== null) {
      this.drawing = { of: this.of, value: content.graph };
      this.graph.show(content.graph);
    }
    if (content.run !== null || content.config === null || parts.includes("run")) {
      this.run = { of: runOf(wants), value: content.run };
    }
    this.showDiagnostics(content);
    this.showSources();
    this.showOutput();
    this.showRun();
    if (content.config !== null && JSON.stringify(content.config.schema) !== before) {
      this.showConfiguration();
    }
  }

  /** Show the new code of an edited item in that of the whole program before the edit. */
  private showExcerpt(excerpt: Excerpt | null): void {
    const generated = excerpt === null ? undefined : this.generated.get(excerpt.language);
    if (excerpt !== null && generated !== undefined && generated.version === excerpt.version) {
      const value = withExcerpt(generated.whole, excerpt);
      this.generated.set(excerpt.language, { ...generated, of: this.of, value });
      this.showOutput();
    }
  }

  /** The problems of the program, and those that only a language shows. */
  private get problems(): readonly Problem[] {
    const further = Object.keys(this.content.titles).flatMap((name) => this.current(name)?.problems ?? []);
    const all = [...this.content.diagnostics, ...further];
    return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  }

  /** What the program becomes in a language, unless that is known only of other texts. */
  private current(language: string): Language | undefined {
    const generated = this.generated.get(language);
    return generated?.of === this.of ? generated.value : undefined;
  }

  /** Show only the problems of what is the content from now on. */
  private showDiagnostics(content: Content): void {
    this.content = content;
    const { problems } = this;
    const errors = problems.filter((problem) => problem.severity === "error").length;
    const warnings = problems.filter((problem) => problem.severity === "warning").length;
    this.say(
      errors + warnings === 0
        ? "No problems"
        : [count(errors, "error"), count(warnings, "warning")].filter(Boolean).join(", "),
    );
    mark(this.left, this.source, problems);
    this.parts.problems.replaceChildren(this.problemList(problems));
    this.showAge();
    this.showPanels();
  }

  /** Show whether the code is that of an older text. */
  private showAge(): void {
    const isOld = this.generated.has(this.language) && this.current(this.language) === undefined;
    document.body.classList.toggle("stale", isOld);
  }

  private showSources(): void {
    const tabs = this.content.files.map((file) => ({
      id: file.name,
      title: file.name,
    }));
    showTabs(this.parts.sources, tabs, this.source, "source", (name) => this.openSource(name));
  }

  private openSource(name: string): void {
    const file = this.content.files.find((source) => source.name === name);
    if (file === undefined) {
      return;
    }
    if (this.states.size > 0) {
      this.states.set(this.source, this.left.state);
    }
    this.source = name;
    this.left.setState(this.states.get(name) ?? this.stateOf(file));
    this.states.set(name, this.left.state);
    this.showSources();
    mark(this.left, name, this.problems);
  }

  private stateOf(file: SourceText): EditorState {
    const listener = {
      at: (offset: number | null, follows: boolean) => this.atSource(offset, follows),
      changed: (text: string) => {
        this.texts.set(file.name, text);
        this.compileSoon();
      },
      complete: (offset: number, signal: AbortSignal) => this.complete(offset, signal),
    };
    return stateOf(this.textOf(file), file.language, file.name, listener, {
      readOnly: !this.live,
      nonce: this.nonce,
    });
  }

  private showOutput(): void {
    const { titles } = this.content;
    const tabs = Object.entries(titles).map(([id, title]) => ({ id, title }));
    showTabs(this.parts.languages, tabs, this.language, "output", (id) => {
      this.language = id;
      this.showOutput();
      void this.compile();
    });
    this.showAge();
    const language = this.generated.get(this.language)?.value;
    const files = language?.files ?? [];
    const file = files.find((output) => output.name === this.output) ?? files[0];
    this.output = file?.name ?? "";
    this.parts.outputs.hidden = files.length < 2;
    showTabs(
      this.parts.outputs,
      files.map((output) => ({ id: output.name, title: output.name })),
      this.output,
      "output",
      (id) => {
        this.output = id;
        this.showOutput();
      },
    );
    const refused = language?.refused ?? [];
    this.parts.output.hidden = file === undefined;
    this.parts.refused.hidden = file !== undefined;
    this.parts.refused.replaceChildren(
      element(
        "p",
        {},
        language !== undefined
          ? `This program cannot be written in ${titles[this.language] ?? this.language}.`
          : this.content.config === null
            ? "Code appears when the program has no errors."
            : "Compiling …",
      ),
      ...(refused.length > 0 ? [this.problemList(refused)] : []),
    );
    const text = file?.text ?? "";
    if (this.right.state.doc.toString() !== text || this.right.contentDOM.getAttribute("aria-label") !== this.output) {
      const top = this.right.scrollDOM.scrollTop;
      const listener = {
        at: (offset: number | null, follows: boolean) => this.atOutput(offset, follows),
      };
      this.right.setState(
        stateOf(text, this.language, this.output, listener, {
          readOnly: true,
          nonce: this.nonce,
        }),
      );
      this.right.scrollDOM.scrollTop = top;
    }
  }

  private problemList(problems: readonly Problem[]): HTMLElement {
    const items = problems.map((problem) => {
      const head = this.opener(
        problem.place,
        element("span", { class: `badge ${problem.severity}` }, `${problem.severity} ${problem.code}`),
        " ",
        problem.message,
        ...(problem.at === undefined ? [] : [" ", element("code", {}, problem.at)]),
      );
      const notes = problem.notes.map((note) => this.opener(note.place, note.message));
      const help = problem.help === null ? [] : [element("p", { class: "fact" }, `help: ${problem.help}`)];
      return element("li", {}, head, ...notes, ...help);
    });
    return items.length > 0 ? element("ul", {}, ...items) : element("p", { class: "empty" }, "No problems.");
  }

  /** A button that opens a place; without one, plain text. */
  private opener(place: Place | null, ...children: readonly (Node | string)[]): HTMLElement {
    if (place === null) {
      return element("p", { class: "fact" }, ...children);
    }
    const button = element("button", { type: "button" }, ...children);
    button.addEventListener("click", () => this.open(place));
    return button;
  }

  private showRun(): void {
    const run = this.run?.value ?? null;
    const reason = this.content.config === null ? "The program runs when it has no errors." : "Running …";
    this.parts.tree.replaceChildren(...(run === null ? [element("p", { class: "empty" }, reason)] : runTree(run)));
  }

  private previewBox(): HTMLElement {
    const box = element("input", { type: "checkbox", id: "preview", disabled: !this.live });
    box.addEventListener("change", () => {
      this.preview = box.checked;
      void this.compile();
    });
    const label = element("label", { for: "preview" }, " Preview: only an update knows some values");
    return element("p", { class: "fact" }, box, label);
  }

  private showConfiguration(): void {
    const { config } = this.content;
    const changed = (name: string, text: string): void => {
      if (text === "") {
        this.values.delete(name);
      } else {
        this.values.set(name, text);
      }
      this.compileSoon();
    };
    this.parts.config.replaceChildren(
      ...(this.live
        ? []
        : [
            element(
              "p",
              { class: "fact" },
              "This page is a file. `pclgen view` serves one that runs the program again.",
            ),
          ]),
      ...(config === null ? [] : fields(config, this.values, { live: this.live, changed })),
    );
  }

  private showPanels(): void {
    const count = this.problems.length;
    const failed = this.run?.value?.failed === true;
    const tabs = Object.entries(PANELS).map(([id, title]) => ({
      id,
      title:
        id === "problems" && count > 0 ? `${title} (${count})` : id === "run" && failed ? `${title} (failed)` : title,
    }));
    showTabs(this.parts.panels, tabs, this.panel, "below", (id) => {
      this.panel = id as Panel;
      this.showPanels();
      void this.compile();
    });
    for (const id of Object.keys(PANELS) as Panel[]) {
      this.parts[id].hidden = id !== this.panel;
    }
  }

  // ------------------------------------------------------------------------------------------------- partners

  private get files(): readonly GeneratedFile[] {
    // Places of code that is old are those of an older text.
    return this.current(this.language)?.files ?? [];
  }

  private get file(): GeneratedFile | undefined {
    return this.files.find((output) => output.name === this.output);
  }

  private atSource(offset: number | null, follows: boolean): void {
    const partners = this.partnersOf(this.file, offset);
    const elsewhere = follows && partners.length === 0 ? this.fileWith(offset) : undefined;
    if (elsewhere !== undefined) {
      this.output = elsewhere.name;
      this.showOutput();
    }
    const mappings = elsewhere === undefined ? partners : this.partnersOf(elsewhere, offset);
    light(this.right, mappings.map(stretchOf), follows);
    light(this.left, mappings.slice(0, 1).map(originOf));
    this.graph.light(this.source, offset);
  }

  private partnersOf(file: GeneratedFile | undefined, offset: number | null): readonly Mapping[] {
    if (file === undefined || offset === null) {
      return [];
    }
    const around = file.mappings.filter(
      (mapping) => mapping[2] === this.source && mapping[3] <= offset && offset <= mapping[4],
    );
    const inner = around.reduce<Mapping | null>(
      (best, mapping) => (best === null || size(mapping) < size(best) ? mapping : best),
      null,
    );
    return inner === null ? [] : around.filter((mapping) => mapping[3] === inner[3] && mapping[4] === inner[4]);
  }

  private fileWith(offset: number | null): GeneratedFile | undefined {
    return this.files.find((file) => this.partnersOf(file, offset).length > 0);
  }

  private atOutput(offset: number | null, follows: boolean): void {
    const around =
      offset === null
        ? []
        : (this.file?.mappings ?? []).filter((mapping) => mapping[0] <= offset && offset < mapping[1]);
    const mapping = around.at(-1);
    if (mapping === undefined) {
      light(this.right, []);
      light(this.left, []);
      return;
    }
    if (follows && mapping[2] !== this.source) {
      this.openSource(mapping[2]);
    }
    light(this.right, [stretchOf(mapping)]);
    light(this.left, mapping[2] === this.source ? [originOf(mapping)] : [], follows);
    this.graph.light(mapping[2], mapping[3]);
  }

  /** Show a place of the program, and put the cursor there. */
  private open([name, start]: Place): void {
    if (name !== this.source) {
      this.openSource(name);
    }
    const anchor = Math.min(start, this.left.state.doc.length);
    this.left.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.left.focus();
    this.atSource(anchor, true);
  }

  // ------------------------------------------------------------------------------------------------- links

  private async link(): Promise<void> {
    const own = Object.entries(this.wants().files).filter(([name]) => !name.startsWith("../"));
    history.replaceState(null, "", await fragmentOf(Object.fromEntries(own)));
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The link is in the clipboard");
    } catch {
      this.say("The link is in the address bar");
    }
  }

  private async load(): Promise<void> {
    let files: { readonly [label: string]: string } | null = null;
    try {
      files = await filesIn(location.hash);
    } catch {
      this.say("The link is damaged: it holds no program");
    }
    if (files === null || !this.live) {
      return;
    }
    this.states.clear();
    this.texts.clear();
    for (const file of this.content.files) {
      if (file.language === "pcl" && !file.name.includes("/")) {
        this.texts.set(file.name, "");
      }
    }
    for (const [name, text] of Object.entries(files)) {
      this.texts.set(name, text);
    }
    await this.compile();
    this.openSource(this.content.files.find((file) => this.textOf(file) !== "")?.name ?? this.source);
  }
}

/** What a run depends on. */
function runOf({ files, config, preview }: Asked): string {
  return JSON.stringify([files, config, preview]);
}

function count(number: number, noun: string): string {
  return number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function size(mapping: Mapping): number {
  return mapping[4] - mapping[3];
}

function stretchOf(mapping: Mapping): Stretch {
  return { from: mapping[0], to: mapping[1] };
}

function originOf(mapping: Mapping): Stretch {
  return { from: mapping[3], to: mapping[4] };
}

const data = document.getElementById("data");
const { live, content } = JSON.parse(data?.textContent ?? "") as {
  live: boolean;
  content: Content | Unreadable;
};
if ("problem" in content) {
  document.body.append(
    element("main", {}, element("p", { class: "error" }, content.problem), element("p", {}, content.hint ?? "")),
  );
} else {
  new Page(content, live, data?.dataset["nonce"] ?? "");
}
