"""Files: their contents, `readFile`, `filebase64`, `filebase64sha256`; assets and archives, `fileAsset`, `stringAsset`,
`remoteAsset`, `fileArchive`, `remoteArchive`, `assetArchive`.

A call that reads a file is never folded: the file may change before the program runs. A known asset or archive is a `Blob`:
its creation reads no file.
"""

from __future__ import annotations

from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Blob, Derivation, Function, Parameter, Unknown, Value
from pclgen.stdlib.values import text
from pclgen.types.model import ARCHIVE, ASSET, STRING, PrimitiveType, map_of

_WHY = "reads a file when the program runs"


def _reader(name: str, doc: str, example: str, *, named_after: int | None = None, hashes: bool = False) -> Function:
    path = Parameter(name="path", doc="The path of the file, relative to the working directory.", type=STRING)
    return Function(
        name=name,
        doc=doc,
        result=lambda _: STRING,
        parameters=(path,),
        impure=_WHY,
        derives=Derivation.NEW if hashes else Derivation.FILE,
        named_after=named_after,
        example=f'{name}("{example}")',
    )


def _from_text(name: str, result: PrimitiveType, doc: str, parameter: Parameter) -> Function:
    return Function(
        name=name,
        doc=doc,
        result=lambda _: result,
        parameters=(parameter,),
        implementation=lambda source: Blob(constructor=name, source=text(source, 0)),
        named_after=0,
        example=f'{name}("{_EXAMPLES[name]}")',
    )


_EXAMPLES = {
    "fileAsset": "./index.html",
    "stringAsset": "<h1>hello</h1>",
    "remoteAsset": "https://example.com/logo.png",
    "fileArchive": "./site",
    "remoteArchive": "https://example.com/site.zip",
}


def _asset_archive(members: Value) -> Value:
    if not isinstance(members, dict):
        raise BadArgumentError(0, "expected a map of assets and archives")
    wrong = next((name for name, member in members.items() if not isinstance(member, Blob | Unknown)), None)
    if wrong is not None:
        raise BadArgumentError(0, f"expected an asset or an archive at {wrong}")
    if UNKNOWN in members.values():
        return UNKNOWN
    return Blob(constructor="assetArchive", source=members)


FUNCTIONS = (
    _reader("readFile", "The text of a file (UTF-8).", "./motd.txt", named_after=0),
    _reader("filebase64", "The bytes of a file, in base64.", "./logo.png"),
    _reader("filebase64sha256", "The SHA-256 digest of a file's bytes, in base64.", "./function.zip", hashes=True),
    _from_text(
        "fileAsset",
        ASSET,
        "An asset with the content of a file.",
        Parameter(name="path", doc="The path of the file, relative to the working directory.", type=STRING),
    ),
    _from_text(
        "stringAsset",
        ASSET,
        "An asset with the given text.",
        Parameter(name="text", doc="The content of the asset.", type=STRING),
    ),
    _from_text(
        "remoteAsset",
        ASSET,
        "An asset with what a URI answers.",
        Parameter(name="uri", doc="A URL with the scheme http, https or file.", type=STRING),
    ),
    _from_text(
        "fileArchive",
        ARCHIVE,
        "An archive made of a directory, or read from an archive file.",
        Parameter(name="path", doc="The path of the directory or archive, relative to the working directory.", type=STRING),
    ),
    _from_text(
        "remoteArchive",
        ARCHIVE,
        "An archive fetched from a URI.",
        Parameter(name="uri", doc="A URL with the scheme http, https or file.", type=STRING),
    ),
    Function(
        name="assetArchive",
        doc="An archive of named assets and archives.",
        result=lambda _: ARCHIVE,
        parameters=(
            # An archive is accepted wherever an asset is (language.md, Types from schemas).
            Parameter(name="assets", doc="Assets and archives by path in the archive.", type=map_of(ASSET)),
        ),
        implementation=_asset_archive,
        named_after=0,
        example='assetArchive({ "index.html" = fileAsset("./index.html") })',
    ),
)
