import * as vscode from "vscode";

import { explain, EXPLANATION, explanations } from "./explanations";
import { GENERATED, GeneratedCode, SHOW_GENERATED } from "./generated";
import { Pages } from "./page";
import { Server } from "./server";
import { SERVER_SETTINGS } from "./settings";

/** Register the commands and start the server; VS Code calls this once. */
export async function activate(
  context: vscode.ExtensionContext,
): Promise<void> {
  const server: Server = new Server(
    new Map([[SHOW_GENERATED, (argument) => generated.show(argument)]]),
  );
  const generated = new GeneratedCode((argument) =>
    server.run(SHOW_GENERATED, argument),
  );
  const pages = new Pages();
  const { commands, workspace } = vscode;
  context.subscriptions.push(
    server,
    generated,
    pages,
    workspace.registerTextDocumentContentProvider(GENERATED, generated),
    workspace.registerTextDocumentContentProvider(EXPLANATION, explanations),
    commands.registerCommand("pclgen.startServer", () => server.start()),
    commands.registerCommand("pclgen.restartServer", () => server.restart()),
    commands.registerCommand("pclgen.explain", explain),
    commands.registerCommand("pclgen.openPage", (uri) => pages.open(uri)),
    workspace.onDidGrantWorkspaceTrust(() => server.start()),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === "file") {
        generated.refresh();
      }
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) =>
      generated.follow(textEditor),
    ),
    workspace.onDidChangeConfiguration((change) => {
      if (SERVER_SETTINGS.some((name) => change.affectsConfiguration(name))) {
        void server.restart();
      }
    }),
  );
  await server.start();
}
