import pulumi

fmt = "x"
string = "y"

pulumi.export("o", f"{fmt}-{string}")
