"""The page that shows a program beside its generated code: `pclgen view`.

`content` is the data of a page, `page` its HTML, `server` serves it on this machine. `editors/view` has the page's
script.
"""
