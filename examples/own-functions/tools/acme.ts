// The functions of acme for Pulumi programs.

const STAGES = ["dev", "test", "prod"];

/** A text as part of a name. */
export function slug(text: string): string {
    return text.toLowerCase().split(/\s+/).filter(Boolean).join("-");
}

/** The same of each text of a list. */
export function slugs(texts: string[]): string[] {
    return texts.map((text) => slug(text));
}

/** The tags that every resource has. */
export function tags(team: string, stage: string): Record<string, string> {
    if (!STAGES.includes(stage)) {
        throw new Error(`a stage is one of ${STAGES.join(", ")}`);
    }
    return { owner: slug(team), stage };
}

/** An equal share of a number. */
export function share(total: number, parts: number): number {
    if (parts < 1) {
        throw new Error("there must be a part");
    }
    return total / parts;
}
