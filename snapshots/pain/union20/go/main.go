package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")

		c := cfg.RequireBool("c")

		var a0 map[string]any
		if c {
			a0 = map[string]any{"x": 1}
		} else {
			a0 = map[string]any{"y": "s"}
		}

		var a1 map[string]map[string]any
		if c {
			a1 = map[string]map[string]any{"p1": a0}
		} else {
			a1 = map[string]map[string]any{"q1": a0}
		}

		var a2 map[string]map[string]map[string]any
		if c {
			a2 = map[string]map[string]map[string]any{"p2": a1}
		} else {
			a2 = map[string]map[string]map[string]any{"q2": a1}
		}

		var a3 map[string]map[string]map[string]map[string]any
		if c {
			a3 = map[string]map[string]map[string]map[string]any{"p3": a2}
		} else {
			a3 = map[string]map[string]map[string]map[string]any{"q3": a2}
		}

		var a4 map[string]map[string]map[string]map[string]map[string]any
		if c {
			a4 = map[string]map[string]map[string]map[string]map[string]any{"p4": a3}
		} else {
			a4 = map[string]map[string]map[string]map[string]map[string]any{"q4": a3}
		}

		var a5 map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a5 = map[string]map[string]map[string]map[string]map[string]map[string]any{"p5": a4}
		} else {
			a5 = map[string]map[string]map[string]map[string]map[string]map[string]any{"q5": a4}
		}

		var a6 map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a6 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p6": a5,
			}
		} else {
			a6 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q6": a5,
			}
		}

		var a7 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a7 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p7": a6,
			}
		} else {
			a7 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q7": a6,
			}
		}

		var a8 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a8 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p8": a7,
			}
		} else {
			a8 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q8": a7,
			}
		}

		var a9 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a9 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p9": a8,
			}
		} else {
			a9 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q9": a8,
			}
		}

		var a10 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a10 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p10": a9,
			}
		} else {
			a10 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q10": a9,
			}
		}

		var a11 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a11 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p11": a10,
			}
		} else {
			a11 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q11": a10,
			}
		}

		var a12 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a12 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p12": a11,
			}
		} else {
			a12 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q12": a11,
			}
		}

		var a13 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a13 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p13": a12,
			}
		} else {
			a13 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q13": a12,
			}
		}

		var a14 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a14 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p14": a13,
			}
		} else {
			a14 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q14": a13,
			}
		}

		var a15 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a15 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p15": a14,
			}
		} else {
			a15 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q15": a14,
			}
		}

		var a16 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a16 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p16": a15,
			}
		} else {
			a16 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q16": a15,
			}
		}

		var a17 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a17 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p17": a16,
			}
		} else {
			a17 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q17": a16,
			}
		}

		var a18 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a18 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p18": a17,
			}
		} else {
			a18 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q18": a17,
			}
		}

		var a19 map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any
		if c {
			a19 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"p19": a18,
			}
		} else {
			a19 = map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]map[string]any{
				"q19": a18,
			}
		}

		ctx.Export("o", pulumi.Any(a19))
		return nil
	})
}
