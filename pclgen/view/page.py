"""The page as one self-contained HTML document."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from pclgen.graph.drawing import STYLE
from pclgen.view.content import Json

_SCRIPT: Final = "page.js"
"""Built from `editors/view`; `page.css` is part of that source."""


def policy(content: dict[str, Json], *, live: bool) -> str:
    """Return the content security policy of `page(content)`: its own script and style; requests only if it is `live`.

    The editor creates style sheets at runtime, which therefore need a nonce rather than a hash. The nonce of a page on
    disk is not secret, but its data cannot become markup, so nothing can use it.
    """
    script = b64encode(hashlib.sha256(_part(_SCRIPT).encode()).digest()).decode("ascii")
    sources = f"script-src 'sha256-{script}'; style-src 'nonce-{_nonce(content)}'; img-src data:"
    rest = "; connect-src 'self'" if live else ""
    return f"default-src 'none'; {sources}{rest}; base-uri 'none'; form-action 'none'"


def page(content: dict[str, Json], *, live: bool) -> str:
    """Return the document that shows `content`; a `live` one sends edits to its server."""
    nonce = _nonce(content)
    # Inside of a script element, only these characters can end the element or begin a comment.
    data = json.dumps({"live": live, "content": content}, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    title = escape(f"{content['name']} - pclgen")
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(content, live=live))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">
{STYLE}
{_part("page.css")}</style>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="data" data-nonce="{nonce}">{data}</script>
<script type="module">{_part(_SCRIPT)}</script>
</body>
</html>
"""


def _nonce(content: dict[str, Json]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


@cache
def _part(name: str) -> str:
    return files("pclgen.view").joinpath(name).read_text(encoding="utf-8")
