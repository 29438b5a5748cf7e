"""TypeScript trees as text, laid out exactly as prettier lays them out (tab width 4, 80 columns).

The rules describe the behavior of prettier 3; `tests/test_typescript_layout.py` compares with it.  `expressions` dispatches,
`calls`, `chains`, `operators`, `assignments` and `types` have the special layouts, `parens` decides about parentheses,
`statements` is the entry point.
"""
