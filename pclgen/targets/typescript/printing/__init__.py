"""TypeScript trees as text, laid out exactly as prettier lays them out (tab width 4, 80 columns).

The rules describe the behavior of prettier 3; `tests/test_typescript_layout.py` compares with it.  `statements` is the entry
point, `expressions` dispatches, `calls`, `assignments` and `types` have the special layouts, and `paths` knows where a node
stands: it decides about parentheses.
"""
