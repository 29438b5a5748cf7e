/** Colors for PCL: a tokenizer for one line after the other. */

import { StreamLanguage, type StringStream } from "@codemirror/language";

/** What the text is in the middle of: a comment, a text, an expression inside of a text, or a heredoc with its last line. */
type Context = { kind: "comment" | "text" } | { kind: "code"; depth: number } | { kind: "heredoc"; end: string };

interface State {
  readonly around: Context[];
}

const KEYWORDS = /^(?:config|resource|read|component|output|pulumi|package|options|for|in|if|else|endif|endfor)$/;
const TYPES = /^(?:string|number|int|bool|any|list|set|map|object|tuple|optional)$/;

function token(stream: StringStream, state: State): string | null {
  const context = state.around.at(-1);
  switch (context?.kind) {
    case "comment":
      return comment(stream, state);
    case "text":
      return text(stream, state);
    case "heredoc":
      return heredoc(stream, state, context.end);
    default:
      return code(stream, state, context);
  }
}

function comment(stream: StringStream, state: State): string {
  if (stream.skipTo("*/")) {
    stream.match("*/");
    state.around.pop();
  } else {
    stream.skipToEnd();
  }
  return "comment";
}

function text(stream: StringStream, state: State): string {
  if (interpolation(stream, state)) {
    return "punctuation";
  }
  while (!stream.eol()) {
    if (stream.match(/^(?:[$%]{2}\{|\\.)/)) {
      continue;
    }
    if (stream.match(/^[$%]\{/, false)) {
      return "string";
    }
    if (stream.next() === '"') {
      state.around.pop();
      return "string";
    }
  }
  state.around.pop(); // no text goes over the end of a line
  return "string";
}

function heredoc(stream: StringStream, state: State, end: string): string {
  if (stream.sol() && stream.string.trim() === end) {
    stream.skipToEnd();
    state.around.pop();
    return "string";
  }
  if (interpolation(stream, state)) {
    return "punctuation";
  }
  while (!stream.eol() && !stream.match(/^[$%]\{/, false)) {
    if (!stream.match(/^[$%]{2}\{/)) {
      stream.next();
    }
  }
  return "string";
}

function interpolation(stream: StringStream, state: State): boolean {
  if (!stream.match(/^[$%]\{~?/)) {
    return false;
  }
  state.around.push({ kind: "code", depth: 0 });
  return true;
}

function code(stream: StringStream, state: State, inside: Context | undefined): string | null {
  if (stream.eatSpace()) {
    return null;
  }
  if (stream.match(/^(?:#|\/\/)/)) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.around.push({ kind: "comment" });
    return comment(stream, state);
  }
  const start = stream.match(/^<<-?([\p{L}_][\p{L}\p{N}_-]*)/u) as RegExpMatchArray | null;
  if (start !== null) {
    state.around.push({ kind: "heredoc", end: start[1] ?? "" });
    return "string";
  }
  if (stream.match('"')) {
    state.around.push({ kind: "text" });
    return stream.match(/^[$%]\{/, false) ? "string" : text(stream, state);
  }
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) {
    return "number";
  }
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u) as RegExpMatchArray | null;
  return word === null ? mark(stream, state, inside) : kindOf(word[0], stream);
}

function mark(stream: StringStream, state: State, inside: Context | undefined): string {
  const next = stream.next();
  if (inside?.kind === "code") {
    if (next === "{") {
      inside.depth += 1;
    } else if (next === "}" && inside.depth === 0) {
      state.around.pop();
      return "punctuation";
    } else if (next === "}") {
      inside.depth -= 1;
    }
  }
  return /[{}()[\],.:]/.test(next ?? "") ? "punctuation" : "operator";
}

function kindOf(word: string, stream: StringStream): string {
  if (/^(?:true|false|null)$/.test(word)) {
    return "bool";
  }
  if (stream.match(/^\s*=(?![=>])/, false)) {
    return "propertyName";
  }
  if (TYPES.test(word)) {
    return "typeName";
  }
  if (stream.match(/^\(/, false)) {
    return "variableName.function";
  }
  return KEYWORDS.test(word) ? "keyword" : "variableName";
}

export const pcl = StreamLanguage.define<State>({
  name: "pcl",
  startState: () => ({ around: [] }),
  copyState: (state) => ({ around: state.around.map((context) => ({ ...context })) }),
  token,
  languageData: {
    commentTokens: { line: "#", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
  },
});
