from typing import Any

import pulumi

config = pulumi.Config()
c = config.require_bool("c")

a0: dict[str, Any] = {"x": 1} if c else {"y": "s"}
a1 = {"p1": a0} if c else {"q1": a0}
a2 = {"p2": a1} if c else {"q2": a1}
a3 = {"p3": a2} if c else {"q3": a2}
a4 = {"p4": a3} if c else {"q4": a3}
a5 = {"p5": a4} if c else {"q5": a4}
a6 = {"p6": a5} if c else {"q6": a5}
a7 = {"p7": a6} if c else {"q7": a6}
a8 = {"p8": a7} if c else {"q8": a7}
a9 = {"p9": a8} if c else {"q9": a8}
a10 = {"p10": a9} if c else {"q10": a9}
a11 = {"p11": a10} if c else {"q11": a10}
a12 = {"p12": a11} if c else {"q12": a11}
a13 = {"p13": a12} if c else {"q13": a12}
a14 = {"p14": a13} if c else {"q14": a13}
a15 = {"p15": a14} if c else {"q15": a14}
a16 = {"p16": a15} if c else {"q16": a15}
a17 = {"p17": a16} if c else {"q17": a16}
a18 = {"p18": a17} if c else {"q18": a17}
a19 = {"p19": a18} if c else {"q19": a18}

pulumi.export("o", a19)
