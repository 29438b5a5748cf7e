/** The two editors of the page: the program, which can be edited, and a generated file. */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { go } from "@codemirror/legacy-modes/mode/go";
import { typescript } from "@codemirror/legacy-modes/mode/javascript";
import { python } from "@codemirror/legacy-modes/mode/python";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Item, Problem } from "./content.js";
import { pcl } from "./pcl.js";

const LANGUAGES: { readonly [name: string]: Extension } = {
  pcl,
  python: StreamLanguage.define(python),
  typescript: StreamLanguage.define(typescript),
  go: StreamLanguage.define(go),
  yaml: StreamLanguage.define(yaml),
};

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const setPartners = StateEffect.define<readonly Stretch[]>();
const partner = Decoration.mark({ class: "partner" });
const partners = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let decorations = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setPartners)) {
        decorations = Decoration.set(
          effect.value.map((range) => partner.range(range.from, range.to)),
          true,
        );
      }
    }
    return decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Light stretches of an editor, or none; `scroll` brings the first into view. */
export function light(view: EditorView, stretches: readonly Stretch[], scroll = false): void {
  const end = view.state.doc.length;
  const fitting = stretches
    .map((range) => ({
      from: Math.min(range.from, end),
      to: Math.min(range.to, end),
    }))
    .filter((range) => range.from < range.to);
  const effects: StateEffect<unknown>[] = [setPartners.of(fitting)];
  const first = fitting[0];
  if (scroll && first !== undefined) {
    effects.push(EditorView.scrollIntoView(first.from, { y: "center" }));
  }
  view.dispatch({ effects });
}

/** Underline what diagnostics of one file say. */
export function mark(view: EditorView, name: string, problems: readonly Problem[]): void {
  const end = view.state.doc.length;
  const own = problems.flatMap((problem) => {
    if (problem.place === null || problem.place[0] !== name) {
      return [];
    }
    const from = Math.min(problem.place[1], end);
    const message = problem.help === null ? problem.message : `${problem.message}\nhelp: ${problem.help}`;
    return [
      {
        from,
        to: Math.max(from, Math.min(problem.place[2], end)),
        severity: problem.severity,
        message,
        source: problem.code,
      },
    ];
  });
  view.dispatch(setDiagnostics(view.state, own));
}

export interface Listener {
  /** The pointer is at an offset (null: it left), or the cursor moved there (`follows`). */
  readonly at: (offset: number | null, follows: boolean) => void;
  readonly changed?: (text: string) => void;
  readonly complete?: (offset: number, signal: AbortSignal) => Promise<readonly Item[]>;
}

/** The state of an editor for a text. */
export function stateOf(
  text: string,
  language: string,
  label: string,
  listener: Listener,
  { readOnly, nonce }: { readOnly: boolean; nonce: string },
): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({
        "aria-label": label,
        ...(readOnly ? { tabindex: "0" } : {}),
      }),
      lineNumbers(),
      drawSelection(),
      bracketMatching(),
      syntaxHighlighting(classHighlighter),
      LANGUAGES[language] ?? [],
      partners,
      watch(listener),
      readOnly
        ? [EditorState.readOnly.of(true), EditorView.editable.of(false), keymap.of(defaultKeymap)]
        : [lintGutter(), history(), closeBrackets(), completer(listener), KEYS],
    ],
  });
}

const KEYS = keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]);

function watch(listener: Listener): Extension {
  return [
    EditorView.domEventHandlers({
      mousemove: (event, view) => {
        listener.at(view.posAtCoords({ x: event.clientX, y: event.clientY }), false);
      },
      mouseleave: () => {
        listener.at(null, false);
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        listener.changed?.(update.state.doc.toString());
      }
      if (update.selectionSet && !update.docChanged) {
        listener.at(update.state.selection.main.head, true);
      }
    }),
  ];
}

const KINDS: { readonly [kind: string]: string } = { value: "constant" };

function completer(listener: Listener): Extension {
  const { complete } = listener;
  if (complete === undefined) {
    return [];
  }
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!context.explicit && context.matchBefore(/[\p{L}\p{N}_:."/-]$/u) === null) {
      return null;
    }
    const overtaken = new AbortController();
    context.addEventListener("abort", () => overtaken.abort());
    const items = await complete(context.pos, overtaken.signal);
    const first = items[0];
    if (first === undefined) {
      return null;
    }
    return {
      from: first.start,
      options: items
        .filter((item) => item.start === first.start)
        .map((item, rank) => ({
          label: item.label,
          type: KINDS[item.kind] ?? item.kind,
          detail: item.detail,
          boost: -rank / 100,
          ...(item.doc === "" ? {} : { info: item.doc }),
        })),
      validFor: /^[\p{L}\p{N}_-]*$/u,
    };
  };
  return autocompletion({ override: [source] });
}
