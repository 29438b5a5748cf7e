// Objects within objects, in inputs and in outputs.

import * as probe from "@pulumi/probe";

const thing = new probe.Thing("thing", {
    obj: {
        s: "outer",
        n: 1,
        inner: {
            s: "inner",
            when: "now",
        },
        tags: ["a", "b"],
    },
    list: [{ s: "one" }, { s: "two", inner: { s: "deep" } }],
    tags: { plain: "1", "with space": "2", "with-dash": "3" },
    any: { free: { form: [1, "a", null] } },
});

const second = new probe.Thing("second", {
    obj: thing.obj.apply((value) => value!),
    list: thing.list,
    label: thing.obj.apply((obj) => obj?.inner?.s!),
    size: thing.list[0].n!.apply((n) => n!),
    maybe: thing.tags["with-dash"],
});

export const deep = thing.obj.apply((obj) => obj?.inner?.when);

export const computedKeys = thing.out.apply((out) => ({
    [out]: 1,
    [`${out}-second`]: 2,
    fixed: 3,
}));

export const whole = thing;
