/** Small helpers for elements. Texts become text nodes, never markup. */

type Attributes = { readonly [name: string]: string | boolean };

/** An element with attributes (false: none, true: an empty one) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

export interface Tab {
  readonly id: string;
  readonly title: string;
}

/**
 * Fill a tab list. The arrow keys, Home and End move between tabs, as the ARIA practices ask; `panel` is the id of the
 * element that all tabs control.
 */
export function showTabs(
  list: HTMLElement,
  tabs: readonly Tab[],
  selected: string,
  panel: string,
  choose: (id: string) => void,
): void {
  const focused = list.contains(document.activeElement);
  const buttons = tabs.map((tab) => {
    const isSelected = tab.id === selected;
    const button = element(
      "button",
      {
        type: "button",
        role: "tab",
        "aria-selected": String(isSelected),
        "aria-controls": panel,
        tabindex: isSelected ? "0" : "-1",
        "data-tab": tab.id,
      },
      tab.title,
    );
    button.addEventListener("click", () => choose(tab.id));
    return button;
  });
  list.replaceChildren(...buttons);
  list.onkeydown = (event) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = moves[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab !== undefined) {
      event.preventDefault();
      choose(tab.id);
    }
  };
  if (focused) {
    buttons.find((button) => button.dataset["tab"] === selected)?.focus();
  }
}
