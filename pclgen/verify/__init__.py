"""Verification of generated programs: a monitor in place of Pulumi's engine, SDK environments, and comparison with the
evaluator.
"""
