/** What the page shows; made by `pclgen/view/content.py`. */

/** The label of a file, and a start and an end in it. */
export type Place = readonly [file: string, start: number, end: number];

/** A stretch of a generated file, and the node of the program that it comes from. */
export type Mapping = readonly [start: number, end: number, ...origin: Place];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface SourceText {
  readonly name: string;
  readonly text: string;
  readonly language: "pcl" | "yaml";
}

export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
  readonly mappings: readonly Mapping[];
}

export interface Language {
  readonly files: readonly GeneratedFile[];
  /** Why the program cannot be written in the language. */
  readonly refused: readonly Problem[];
  /** Problems of the program that only this language shows. */
  readonly problems: readonly Problem[];
}

export interface Drawing {
  readonly svg: string;
  readonly nodes: { readonly [id: string]: Place };
}

export interface Problem {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly help: string | null;
  readonly place: Place | null;
  readonly at?: string;
  readonly notes: readonly {
    readonly message: string;
    readonly place: Place | null;
  }[];
}

export interface Registration {
  readonly kind: string;
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly parent?: string;
  readonly inputs?: { readonly [name: string]: Json };
  readonly dependencies?: readonly string[];
  readonly options?: { readonly [name: string]: Json };
}

export interface Run {
  readonly problem?: string;
  readonly failed?: boolean;
  readonly registrations?: readonly Registration[];
  readonly outputs?: { readonly [name: string]: Json };
  readonly log?: readonly {
    readonly severity: string;
    readonly message: string;
  }[];
}

export interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly writeOnly?: boolean;
}

export interface Configuration {
  readonly schema: {
    readonly properties: { readonly [name: string]: Property };
    readonly required?: readonly string[];
  };
  readonly values: { readonly [name: string]: string };
}

/** The languages, the graph and the run are the parts that were asked for. */
export interface Content {
  readonly name: string;
  /** The number of this version of the program. */
  readonly version: number;
  /** Whether the page asks only for the parts that it shows. */
  readonly large: boolean;
  readonly files: readonly SourceText[];
  /** The titles of all languages. */
  readonly titles: { readonly [language: string]: string };
  readonly languages: { readonly [language: string]: Language };
  readonly diagnostics: readonly Problem[];
  readonly graph: Drawing | null;
  /** Null if the program has errors. */
  readonly config: Configuration | null;
  readonly run: Run | null;
}

/** What a page knows soon after an edit. */
export interface Problems {
  readonly diagnostics: readonly Problem[];
  /** The code of an edited item; null if only the whole program shows it. */
  readonly excerpt: Excerpt | null;
}

/** What becomes of an edited item: the text between two offsets of a generated file of a certain version. */
export interface Excerpt {
  readonly language: string;
  readonly version: number;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The mappings in the text, whose generated offsets count from its start. */
  readonly mappings: readonly Mapping[];
  /** The item before the edit, and its end after it. */
  readonly item: Place;
  readonly itemEnd: number;
}

/** A program that cannot be read at all. */
export interface Unreadable {
  readonly name: string;
  readonly problem: string;
  readonly hint: string | null;
}

export interface Item {
  readonly label: string;
  readonly kind: string;
  readonly start: number;
  readonly detail: string;
  readonly doc: string;
}

/** What the page asks its server for. */
export interface Asked {
  readonly files: { readonly [label: string]: string };
  readonly config: { readonly [name: string]: string };
  readonly preview: boolean;
}

/** Code for certain texts: that of the `whole` program of a version, or that with the new code of an edited item. */
export interface Generated extends Dated<Language> {
  readonly version: number;
  readonly whole: Language;
}

/** A part of the content, for certain texts; a run, for certain values, too. */
export interface Dated<T> {
  readonly of: string;
  readonly value: T;
}
