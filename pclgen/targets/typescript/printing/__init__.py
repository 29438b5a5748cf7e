"""TypeScript trees as text, laid out exactly as prettier lays them out (tab width 4, 80 columns).

The rules are facts about prettier 3, told by comparing with it; `tests/test_typescript_layout.py` does so.  `expressions`
dispatches, `calls`, `chains`, `operators`, `assignments` and `types` own the layouts that have rules of their own, `parens`
tells where parentheses stand, `statements` is the entry.
"""
