"""Comparison of values with HashiCorp's HCL, the judge: random programs, evaluated by everything that evaluates PCL."""
