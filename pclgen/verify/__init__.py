"""Running what was generated: a monitor that stands for Pulumi's engine, the SDKs' environments, and the comparison.

Owns the recording monitor (`monitor`, `wire`), environments with the SDKs that programs need (`environments`), how programs
are started (`launch`, `workers`), the levels of `pclgen verify` (`verification`), what SDKs may do
differently (`limits`) and the report (`report`).
"""
