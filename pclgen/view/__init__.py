"""The page that shows a program beside its generated code: `pclgen view`.

`page` has the data of a page and its HTML, `server` serves it on this machine. `editors/view` has the page's
script.
"""
