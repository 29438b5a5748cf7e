"""The evaluator: the semantics of a bound program, without any cloud, engine or target language."""
