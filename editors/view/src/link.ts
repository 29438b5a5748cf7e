/** Programs in links: the texts of the files, compressed, in the part of the address that no server gets. */

const PREFIX = "#program=";

async function through(data: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([data]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The fragment for the texts of files, by label. */
export async function fragmentOf(files: { readonly [label: string]: string }): Promise<string> {
  const data = await through(new TextEncoder().encode(JSON.stringify(files)), new CompressionStream("deflate-raw"));
  const binary = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The texts in a fragment; null when it has no program. Throws when it is damaged. */
export async function filesIn(fragment: string): Promise<{ readonly [label: string]: string } | null> {
  if (!fragment.startsWith(PREFIX)) {
    return null;
  }
  const binary = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
  const data = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const texts: unknown = JSON.parse(
    new TextDecoder().decode(await through(data, new DecompressionStream("deflate-raw"))),
  );
  if (texts === null || typeof texts !== "object" || Object.values(texts).some((text) => typeof text !== "string")) {
    throw new Error("not a program");
  }
  return texts as { readonly [label: string]: string };
}
