import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const pw = new random.RandomPassword("pw", { length: 8 });

export const j = pulumi.jsonStringify({
    Version: "2012-10-17",
    pw: pw.result,
    arr: [1, 2.5, true, null],
});

export const s = pulumi.secret(pw.result);
