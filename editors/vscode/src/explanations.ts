import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

import { readSettings } from "./settings";

/** The scheme of documents that explain a diagnostic. */
export const EXPLANATION = "pclgen-explanation";

const CODE = /^PCL\d{4}$/;
const run = promisify(execFile);

/** Documents with the output of `pclgen explain CODE`; their path is the code. */
export const explanations: vscode.TextDocumentContentProvider = {
  async provideTextDocumentContent(uri) {
    const code = uri.path.slice(1).replace(".md", "");
    if (!vscode.workspace.isTrusted || !CODE.test(code)) {
      return "";
    }
    const { stdout } = await run(readSettings().path, [
      "explain",
      "--color",
      "never",
      code,
    ]);
    return stdout;
  },
};

/** Explain a code: the argument, or that of the diagnostic at the cursor, or the one that the user enters. */
export async function explain(argument?: unknown): Promise<void> {
  const code =
    typeof argument === "string" ? argument : (codeAtCursor() ?? (await ask()));
  if (code !== undefined && CODE.test(code)) {
    await vscode.window.showTextDocument(
      vscode.Uri.from({ scheme: EXPLANATION, path: `/${code}.md` }),
      { viewColumn: vscode.ViewColumn.Beside, preview: true },
    );
  }
}

function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const cursor = editor.selection.active;
  const codes = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter(
      ({ source, range }) => source === "pclgen" && range.contains(cursor),
    )
    .map(({ code }) => String(typeof code === "object" ? code.value : code));
  return codes.find((code) => CODE.test(code));
}

async function ask(): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    prompt: "Code of a diagnostic",
    placeHolder: "PCL0101",
    validateInput: (text) =>
      CODE.test(text.toUpperCase()) ? undefined : "For example PCL0101",
  });
  return answer?.toUpperCase();
}
