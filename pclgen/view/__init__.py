"""The page that shows a program beside its generated code: `pclgen view`.

`content` says what a page shows, `page` puts it into HTML, `server` serves it on this machine.  The script of the page is
built from `editors/view`.
"""
