import * as vscode from "vscode";

/** How the extension starts pclgen. */
export interface Settings {
  readonly path: string;
  readonly serverArguments: readonly string[];
  /** Options that say where package schemas are. */
  readonly schemaArguments: readonly string[];
}

/** Names of settings that the server receives when it starts. */
export const SERVER_SETTINGS = [
  "pclgen.path",
  "pclgen.schemas",
  "pclgen.sources",
] as const;

/** Return the settings of the workspace. */
export function readSettings(): Settings {
  const settings = vscode.workspace.getConfiguration("pclgen");
  const schemas = settings.get<string[]>("schemas", []);
  const sources = settings.get<string[]>("sources", []);
  const schemaArguments = [
    ...schemas.flatMap((path) => ["--schemas", expand(path)]),
    ...(sources.length > 0 ? ["--sources", sources.join(",")] : []),
  ];
  return {
    path: expand(settings.get("path", "pclgen")),
    serverArguments: ["lsp", ...schemaArguments],
    schemaArguments,
  };
}

function expand(text: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return text.replaceAll("${workspaceFolder}", folder);
}
