/** The dependency graph: a picture that can be zoomed, moved and clicked. */

import type { Drawing, Place } from "./content.js";
import { element } from "./elements.js";

const STEP = 1.25;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Graph {
  private svg: SVGSVGElement | null = null;
  private shown: Drawing = { svg: "", nodes: {} };
  private whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  private box: Box = { ...this.whole };
  private readonly picture = element("div", { class: "picture" });

  constructor(
    private readonly panel: HTMLElement,
    private readonly open: (place: Place) => void,
  ) {
    const button = (title: string, text: string, act: () => void): HTMLButtonElement => {
      const made = element("button", { type: "button", title, "aria-label": title }, text);
      made.addEventListener("click", act);
      return made;
    };
    this.panel.append(
      element(
        "div",
        { class: "tools", role: "toolbar", "aria-label": "Picture" },
        button("Zoom in", "+", () => this.zoom(STEP)),
        button("Zoom out", "−", () => this.zoom(1 / STEP)),
        button("Show everything", "Fit", () => this.fit()),
      ),
      this.picture,
    );
    this.picture.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          this.zoom(event.deltaY < 0 ? STEP : 1 / STEP);
        }
      },
      { passive: false },
    );
    this.drag();
  }

  /** Draw the graph of a program. */
  show(graph: Drawing): void {
    const before = this.shown;
    this.shown = graph;
    if (graph.svg === before.svg) {
      return;
    }
    const root = new DOMParser().parseFromString(graph.svg, "image/svg+xml").documentElement;
    this.svg = document.importNode(root, true) as unknown as SVGSVGElement;
    this.svg.removeAttribute("width");
    const [x = 0, y = 0, width = 1, height = 1] = (root.getAttribute("viewBox") ?? "").split(" ").map(Number);
    this.whole = { x, y, width, height };
    for (const node of this.svg.querySelectorAll<SVGGElement>("[data-node]")) {
      const id = node.dataset["node"] ?? "";
      const texts = [...node.querySelectorAll("text")].map((text) => text.textContent);
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", texts.join(" "));
      const opens = (): void => {
        const place = this.shown.nodes[id];
        if (place !== undefined) {
          this.open(place);
        }
      };
      node.addEventListener("click", opens);
      node.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          opens();
        }
      });
    }
    this.svg.setAttribute("role", "group");
    this.picture.replaceChildren(this.svg);
    this.fit();
  }

  /** Light the node at a place of the program. */
  light(file: string, offset: number | null): void {
    for (const node of this.svg?.querySelectorAll<SVGGElement>("[data-node]") ?? []) {
      const place = this.shown.nodes[node.dataset["node"] ?? ""];
      const isHere = place?.[0] === file && offset !== null && place[1] <= offset && offset < place[2];
      node.classList.toggle("lit", isHere);
    }
  }

  private fit(): void {
    this.box = { ...this.whole };
    this.look();
  }

  private zoom(factor: number): void {
    const { x, y, width, height } = this.box;
    const [across, down] = [width / factor, height / factor];
    this.box = {
      x: x + (width - across) / 2,
      y: y + (height - down) / 2,
      width: across,
      height: down,
    };
    this.look();
  }

  private look(): void {
    const { x, y, width, height } = this.box;
    this.svg?.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  private drag(): void {
    let last: { x: number; y: number } | null = null;
    this.picture.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY };
    });
    window.addEventListener("pointerup", () => {
      last = null;
    });
    window.addEventListener("pointermove", (event) => {
      if (last === null) {
        return;
      }
      const { width, height } = this.picture.getBoundingClientRect();
      const scale = Math.max(this.box.width / width, this.box.height / height);
      this.box.x -= (event.clientX - last.x) * scale;
      this.box.y -= (event.clientY - last.y) * scale;
      last = { x: event.clientX, y: event.clientY };
      this.look();
    });
  }
}
