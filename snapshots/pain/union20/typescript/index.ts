import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const c = config.requireBoolean("c");

const a0 = c ? { x: 1 } : { y: "s" };
const a1 = c ? { p1: a0 } : { q1: a0 };
const a2 = c ? { p2: a1 } : { q2: a1 };
const a3 = c ? { p3: a2 } : { q3: a2 };
const a4 = c ? { p4: a3 } : { q4: a3 };
const a5 = c ? { p5: a4 } : { q5: a4 };
const a6 = c ? { p6: a5 } : { q6: a5 };
const a7 = c ? { p7: a6 } : { q7: a6 };
const a8 = c ? { p8: a7 } : { q8: a7 };
const a9 = c ? { p9: a8 } : { q9: a8 };
const a10 = c ? { p10: a9 } : { q10: a9 };
const a11 = c ? { p11: a10 } : { q11: a10 };
const a12 = c ? { p12: a11 } : { q12: a11 };
const a13 = c ? { p13: a12 } : { q13: a12 };
const a14 = c ? { p14: a13 } : { q14: a13 };
const a15 = c ? { p15: a14 } : { q15: a14 };
const a16 = c ? { p16: a15 } : { q16: a15 };
const a17 = c ? { p17: a16 } : { q17: a16 };
const a18 = c ? { p18: a17 } : { q18: a17 };
const a19 = c ? { p19: a18 } : { q19: a18 };

export const o = a19;
