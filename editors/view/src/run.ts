/** A run of the program: the resources as a tree, with their inputs, secrets and what is not known yet. */

import type { Json, Registration, Run } from "./content.js";
import { element } from "./elements.js";

/** The elements for a run. */
export function runTree(run: Run): Node[] {
  if (run.problem !== undefined) {
    return [element("p", { class: "error" }, run.problem)];
  }
  const registrations = run.registrations ?? [];
  const known = new Set(registrations.map((registration) => registration.urn));
  const below = new Map<string, Registration[]>();
  for (const registration of registrations) {
    const parent =
      registration.parent !== undefined && known.has(registration.parent) && registration.parent !== registration.urn
        ? registration.parent
        : "";
    below.set(parent, [...(below.get(parent) ?? []), registration]);
  }
  const log = (run.log ?? []).map((entry) => element("li", { class: entry.severity }, entry.message));
  return [
    ...(run.failed === true ? [element("p", { class: "error" }, "The run failed.")] : []),
    ...(log.length > 0 ? [element("ul", { class: "log" }, ...log)] : []),
    ...branches(below, "", new Set()),
    ...(Object.keys(run.outputs ?? {}).length > 0 ? [element("h3", {}, "Outputs"), valueOf({ ...run.outputs })] : []),
  ];
}

function branches(
  below: ReadonlyMap<string, readonly Registration[]>,
  parent: string,
  above: ReadonlySet<string>,
): Node[] {
  return (below.get(parent) ?? []).map((registration) => {
    const inner =
      registration.urn === "" || above.has(registration.urn)
        ? []
        : branches(below, registration.urn, new Set([...above, registration.urn]));
    if (registration.kind === "stack") {
      return element("div", { class: "stack" }, element("h3", {}, `Stack ${registration.name}`), ...inner);
    }
    return element(
      "details",
      { open: true },
      element(
        "summary",
        {},
        element("b", {}, registration.name),
        " ",
        element("code", {}, registration.type),
        ...badges(registration),
      ),
      ...facts(registration),
      ...inner,
    );
  });
}

function badges(registration: Registration): Node[] {
  return registration.kind === "resource" ? [] : [badge(registration.kind)];
}

function facts(registration: Registration): Node[] {
  const nodes: Node[] = [];
  if (registration.inputs !== undefined && Object.keys(registration.inputs).length > 0) {
    nodes.push(valueOf(registration.inputs));
  }
  if (registration.dependencies !== undefined && registration.dependencies.length > 0) {
    nodes.push(element("p", { class: "fact" }, `depends on ${registration.dependencies.map(nameOf).join(", ")}`));
  }
  const { version, ...options } = registration.options ?? {};
  if (version !== undefined) {
    nodes.push(element("p", { class: "fact" }, `version ${String(version)}`));
  }
  if (Object.keys(options).length > 0) {
    nodes.push(element("p", { class: "fact" }, "options"), valueOf(options));
  }
  return nodes;
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

function badge(text: string): HTMLElement {
  return element("span", { class: "badge" }, text);
}

/** A property value; the tagged ones are described in `pclgen/trace/json.py`. */
function valueOf(value: Json): HTMLElement {
  if (value === null || typeof value !== "object") {
    return element("code", {}, JSON.stringify(value));
  }
  if (Array.isArray(value)) {
    const elements = value as readonly Json[];
    return elements.length === 0
      ? element("code", {}, "[]")
      : element("ol", {}, ...elements.map((item) => element("li", {}, valueOf(item))));
  }
  const members = Object.entries(value as { readonly [key: string]: Json });
  const [only] = members;
  if (members.length === 1 && only !== undefined) {
    const tagged = tag(only[0], only[1]);
    if (tagged !== null) {
      return tagged;
    }
  }
  if (members.length === 0) {
    return element("code", {}, "{}");
  }
  return element(
    "ul",
    {},
    ...members.map(([name, member]) => element("li", {}, element("var", {}, name), " ", valueOf(member))),
  );
}

function tag(name: string, value: Json): HTMLElement | null {
  const members =
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? (value as { readonly [key: string]: Json })
      : {};
  switch (name) {
    case "$secret":
      return badge("secret");
    case "$computed":
      return badge("unknown");
    case "$output":
      return valueOf(members["value"] ?? null);
    case "$object":
      return valueOf(value);
    case "$resourceRef":
      return element("code", {}, nameOf(String(members["urn"])));
    default:
      return null;
  }
}
