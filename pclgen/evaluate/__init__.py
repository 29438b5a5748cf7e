"""The evaluator: what a bound program means, without any cloud, engine or target language."""
