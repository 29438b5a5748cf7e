import * as vscode from "vscode";

/** The server's command, and the command of the palette. */
export const SHOW_GENERATED = "pclgen.showGenerated";
/** The scheme of documents with generated code. */
export const GENERATED = "pclgen-generated";

const LANGUAGES = [
  { label: "Python", language: "python" },
  { label: "TypeScript", language: "typescript" },
  { label: "Go", language: "go" },
  { label: "Pulumi YAML", language: "yaml" },
];
const DELAY = 300;

interface PlainRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** A part of a generated file, and the part of the program that it comes from. */
interface Mapping {
  readonly range: PlainRange;
  readonly source: { readonly uri: string; readonly range: PlainRange };
}

/** The answer of the server. */
interface Generated {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  readonly mappings: Readonly<Record<string, readonly Mapping[]>>;
  readonly messages: readonly string[];
}

type Run = (argument: unknown) => Promise<unknown>;

/** Documents with generated code; their URIs name the program, the language and the file. */
export class GeneratedCode
  implements vscode.TextDocumentContentProvider, vscode.Disposable
{
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #run: Run;
  readonly #mappings = new Map<string, readonly Mapping[]>();
  readonly #partner = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
  });
  #timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(run: Run) {
    this.#run = run;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
    this.#partner.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { uri: source, language } = JSON.parse(uri.query);
    const generated = await this.#generate({ uri: source, language });
    const file = uri.path.slice(`/${language}/`.length);
    const text = generated?.files[file];
    this.#mappings.set(uri.toString(), generated?.mappings[file] ?? []);
    return text ?? generated?.messages.join("\n") ?? "";
  }

  /** Show a program beside the editor; ask for what `argument` does not name. */
  async show(argument: unknown): Promise<void> {
    const { uri, language = await pickLanguage() } = request(argument);
    if (uri === undefined || language === undefined) {
      return;
    }
    const generated = await this.#generate({ uri, language });
    const files = Object.keys(generated?.files ?? {});
    if (generated === undefined || files.length === 0) {
      const reasons = generated?.messages ?? ["this file is not part of one"];
      void vscode.window.showWarningMessage(
        `pclgen cannot generate the program: ${reasons.join("; ")}`,
      );
      return;
    }
    const file =
      files.length > 1 ? await vscode.window.showQuickPick(files) : files[0];
    if (file !== undefined) {
      await vscode.window.showTextDocument(
        vscode.Uri.from({
          scheme: GENERATED,
          path: `/${generated.language}/${file}`,
          query: JSON.stringify({ uri, language: generated.language }),
        }),
        {
          viewColumn: vscode.ViewColumn.Beside,
          preserveFocus: true,
          preview: true,
        },
      );
    }
  }

  /** Mark the partners of the text at the cursor: generated code for a program, the program for generated code. */
  follow(editor: vscode.TextEditor): void {
    const { line, character } = editor.selection.active;
    const indent = editor.document.lineAt(line);
    const cursor = new vscode.Position(
      line,
      Math.max(character, indent.firstNonWhitespaceCharacterIndex),
    );
    const uri = editor.document.uri.toString();
    for (const other of vscode.window.visibleTextEditors) {
      if (other !== editor) {
        const partner = this.#partnerIn(other, uri, cursor);
        other.setDecorations(this.#partner, partner ? [partner] : []);
        if (partner !== undefined) {
          other.revealRange(
            partner,
            vscode.TextEditorRevealType.InCenterIfOutsideViewport,
          );
        }
      }
    }
  }

  #partnerIn(
    other: vscode.TextEditor,
    uri: string,
    cursor: vscode.Position,
  ): vscode.Range | undefined {
    const shown = other.document.uri.toString();
    const fromProgram = this.#mappings
      .get(shown)
      ?.filter(({ source }) => sameUri(source.uri, uri))
      .findLast(({ source }) => toRange(source.range).contains(cursor));
    if (fromProgram !== undefined) {
      return toRange(fromProgram.range);
    }
    const fromCode = this.#mappings
      .get(uri)
      ?.filter(({ source }) => sameUri(source.uri, shown))
      .findLast(({ range }) => toRange(range).contains(cursor));
    return fromCode && toRange(fromCode.source.range);
  }

  /** Generate the open documents again, once the editor is quiet. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === GENERATED) {
          this.#changed.fire(uri);
        }
      }
    }, DELAY);
  }

  async #generate(argument: {
    uri: string;
    language: string;
  }): Promise<Generated | undefined> {
    const answer = await this.#run(argument);
    return (answer as Generated | null | undefined) ?? undefined;
  }
}

function toRange({ start, end }: PlainRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Whether two texts are one URI; the server and VS Code escape them differently. */
function sameUri(first: string, second: string): boolean {
  return (
    vscode.Uri.parse(first).toString() === vscode.Uri.parse(second).toString()
  );
}

/** The program and the language of the command; the palette passes nothing, a menu passes the document. */
function request(argument: unknown): { uri?: string; language?: string } {
  if (argument instanceof vscode.Uri) {
    return { uri: argument.toString() };
  }
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  return {
    ...(active === undefined ? {} : { uri: active }),
    ...(argument as { uri?: string; language?: string } | undefined),
  };
}

async function pickLanguage(): Promise<string | undefined> {
  const choice = await vscode.window.showQuickPick(LANGUAGES, {
    placeHolder: "Language of the generated code",
  });
  return choice?.language;
}
