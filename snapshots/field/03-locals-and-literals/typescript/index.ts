import * as random from "@pulumi/random";

// every literal form, gathered in locals
const empty = "";

const plain = "plain";
const escapes = 'tab:\t quote:" backslash:\\ newline:\n unicode:é';
const dollar = "${not_interpolated} and %{also_not}";
const answer: number = 42;
const negative = -17;
const fraction = 3.14159;
const exponent = 1500;
const yes = true;
const no = false;
const emptyList: any[] = [];
const emptyMap = {};
const mixed = [1, "two", true, null];

const nestedList = [
    [1, 2],
    [3, 4],
];

const nestedObject = {
    outer: {
        inner: ["a", "b"],
        flag: true,
    },
    quoted: 1,
};

const area = answer * 2 + 1;
const parity = answer % 2 === 0;
const logic = !no && (yes || parity) && answer >= 42 && answer !== 41;
const half = answer / 4;

const token = new random.RandomString("token", {
    length: area,
    special: logic,
    lower: !no,
    keepers: {
        a: nestedObject.outer.inner[0],
        b: plain,
        c: dollar,
    },
});

export const literals = {
    empty,
    escapes,
    negative,
    fraction,
    exponent,
    list: emptyList,
    map: emptyMap,
    mixed,
    nested: nestedList,
    half,
    flag: nestedObject.outer.flag,
};
