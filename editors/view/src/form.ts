/** The configuration of the program as a form. */

import type { Configuration, Json, Property } from "./content.js";
import { element } from "./elements.js";

/** The fields for a configuration; `changed` gets the name and the text of one that was edited. */
export function fields(
  config: Configuration,
  values: ReadonlyMap<string, string>,
  { live, changed }: { live: boolean; changed: (name: string, text: string) => void },
): Node[] {
  const properties = Object.entries(config.schema.properties);
  if (properties.length === 0) {
    return [element("p", { class: "empty" }, "This program has no configuration.")];
  }
  return properties.map(([name, property]) => {
    const isRequired = config.schema.required?.includes(name) === true;
    const id = `config-${name}`;
    const control = controlOf(property, values.get(name) ?? "");
    control.id = id;
    control.disabled = !live;
    control.addEventListener("input", () => changed(name, control.value));
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, name, ...(isRequired ? [element("span", { class: "badge" }, "required")] : [])),
      control,
      ...(property.description === undefined ? [] : [element("p", { class: "fact" }, property.description)]),
    );
  });
}

function controlOf(property: Property, value: string): HTMLInputElement | HTMLSelectElement {
  const choices = property.enum?.map(textOf) ?? (property.type === "boolean" ? ["false", "true"] : null);
  if (choices === null) {
    const type = property.writeOnly === true ? "password" : "text";
    const placeholder = property.default === undefined ? "" : textOf(property.default);
    return element("input", {
      type,
      value,
      placeholder,
      autocomplete: "off",
      spellcheck: "false",
    });
  }
  const unset = property.default === undefined ? "" : `${textOf(property.default)} (default)`;
  const select = element(
    "select",
    {},
    element("option", { value: "" }, unset),
    ...choices.map((choice) => element("option", { value: choice }, choice)),
  );
  select.value = value;
  return select;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
