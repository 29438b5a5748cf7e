import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  State,
} from "vscode-languageclient/node";

import { readSettings } from "./settings";

/** Handles a command of the server in its place. */
export type CommandHandler = (argument: unknown) => Promise<void>;

const DOCUMENTS = [
  { scheme: "file", language: "pcl" },
  { scheme: "file", pattern: "**/{Pulumi,Main}.{yaml,yml}" },
];

/** Files that decide how pclgen compiles a program, and the programs themselves. */
const WATCHED = [
  "**/*.pp",
  "**/{pclgen.toml,pclgen.lock,pyproject.toml}",
  "**/{Pulumi,Main}.{yaml,yml}",
  "**/schemas/**/*.json",
];

/** The language server of the workspace: one process, or none. */
export class Server implements vscode.Disposable {
  #client: LanguageClient | undefined;
  #lastChange: Promise<void> = Promise.resolve();
  readonly #commands: ReadonlyMap<string, CommandHandler>;

  constructor(commands: ReadonlyMap<string, CommandHandler>) {
    this.#commands = commands;
  }

  /** Start the server unless it runs or the workspace is not trusted. */
  start(): Promise<void> {
    return this.#change(() => this.#start());
  }

  /** Start the server with the current settings. */
  restart(): Promise<void> {
    return this.#change(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  /** Stop the server. */
  stop(): Promise<void> {
    return this.#change(() => this.#stop());
  }

  /** Send a command to the server; undefined when it does not run. */
  async run(command: string, argument: unknown): Promise<unknown> {
    return this.#client?.sendRequest("workspace/executeCommand", {
      command,
      arguments: [argument],
    });
  }

  dispose(): void {
    void this.stop();
  }

  /** Changes run one after the other, so that two commands cannot start two servers. */
  #change(action: () => Promise<void>): Promise<void> {
    this.#lastChange = this.#lastChange.then(action, action);
    return this.#lastChange;
  }

  async #start(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.#client !== undefined) {
      return;
    }
    const settings = readSettings();
    let hasStarted = false;
    const client = new LanguageClient(
      "pclgen",
      "pclgen",
      { command: settings.path, args: [...settings.serverArguments] },
      {
        documentSelector: DOCUMENTS,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => this.#closed(hasStarted),
        },
        synchronize: {
          fileEvents: WATCHED.map((pattern) =>
            vscode.workspace.createFileSystemWatcher(pattern),
          ),
        },
        middleware: {
          executeCommand: (command, args, next) => {
            const handler = this.#commands.get(command);
            return handler?.(args[0]) ?? next(command, args);
          },
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      void vscode.commands.executeCommand(
        "setContext",
        "pclgen.running",
        newState === State.Running,
      );
    });
    this.#client = client;
    try {
      await client.start();
      hasStarted = true;
    } catch (error) {
      this.#client = undefined;
      void reportFailure(settings.path, error);
    }
  }

  /** A server that ended by itself is not started again: it would probably end again. */
  #closed(hasStarted: boolean): CloseHandlerResult {
    this.#client = undefined;
    const message =
      "The pclgen server has stopped. Run `pclgen: Start Server` to start it again.";
    return {
      action: CloseAction.DoNotRestart,
      handled: !hasStarted,
      ...(hasStarted ? { message } : {}),
    };
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.dispose();
  }
}

async function reportFailure(path: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const openSettings = "Open Settings";
  const choice = await vscode.window.showErrorMessage(
    `Cannot start \`${path} lsp\`: ${reason}. Install it with \`pip install 'pclgen[lsp]'\`, or set \`pclgen.path\`.`,
    openSettings,
  );
  if (choice === openSettings) {
    await vscode.commands.executeCommand(
      "workbench.action.openSettings",
      "pclgen.path",
    );
  }
}
