import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

import * as vscode from "vscode";

import { readSettings } from "./settings";

/** Pages of `pclgen view` in a tab of VS Code: one process for each program folder. */
export class Pages implements vscode.Disposable {
  readonly #processes = new Map<
    string,
    { process: ChildProcess; address: Promise<string> }
  >();

  /** Open the page of the program around a document: the argument, or the one in the active editor. */
  async open(argument?: unknown): Promise<void> {
    const uri =
      argument instanceof vscode.Uri
        ? argument
        : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== "file" || !vscode.workspace.isTrusted) {
      return;
    }
    const program = uri.path.endsWith(".pp") ? dirname(uri.fsPath) : uri.fsPath;
    try {
      const address = await this.#address(program);
      const external = await vscode.env.asExternalUri(
        vscode.Uri.parse(address),
      );
      await vscode.commands.executeCommand(
        "simpleBrowser.show",
        external.toString(true),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(
        `Cannot open the page of the program: ${reason}`,
      );
    }
  }

  dispose(): void {
    for (const { process } of this.#processes.values()) {
      process.kill();
    }
    this.#processes.clear();
  }

  #address(program: string): Promise<string> {
    const known = this.#processes.get(program);
    if (known !== undefined) {
      return known.address;
    }
    const { path, schemaArguments } = readSettings();
    const process = spawn(
      path,
      ["view", program, "--no-open", ...schemaArguments],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const address = new Promise<string>((resolve, reject) => {
      let complaint = "";
      process.stderr.on("data", (data) => {
        complaint += String(data);
      });
      createInterface(process.stdout).once("line", resolve);
      process.once("error", reject);
      process.once("close", () => {
        this.#processes.delete(program);
        reject(new Error(complaint.trim()));
      });
    });
    this.#processes.set(program, { process, address });
    return address;
  }
}
