"""Discovery of installed Python SDKs of Pulumi packages.

An `Installation` is a package with version, folder, and an identity that changes with the installation. An SDK is a
folder with a `pulumi-plugin.json`; older ones are recognized by the table of resources that they register.
"""

from __future__ import annotations

import hashlib
import os
import re
import site
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from pclgen.source.files import read_regular

PLUGIN_FILE = "pulumi-plugin.json"
_UTILITIES = "_utilities.py"
_REGISTERED = re.compile(r'_utilities\.register\(\s*resource_modules="""\s*\[\s*\{\s*"pkg": "([A-Za-z0-9][A-Za-z0-9_-]*)"')
_EDITION = "7"
"""Changes with the recovered result of unchanged files, so that caches by `Installation.identity` are invalidated."""


class _Parameterization(msgspec.Struct):
    """The parameterization of a base plugin."""

    name: str
    version: str = ""
    value: str = ""


class _Plugin(msgspec.Struct):
    """The contents of `pulumi-plugin.json`."""

    name: str = ""
    version: str = ""
    server: str = ""
    parameterization: _Parameterization | None = None
    extension: _Parameterization | None = msgspec.field(default=None, name="extensionParameterization")


class Base(Struct, frozen=True, kw_only=True):
    """The plugin behind a parameterized package; `parameter` is base64. An extension adds to the plugin's own package."""

    name: str
    version: str
    parameter: str
    extension: bool = False


class Installation(Struct, frozen=True, kw_only=True):
    """An installed SDK: `folder` is its import folder, `information` its `.dist-info` folder, if any.

    `server` is the URL of a plugin that is not public, "" for others.
    """

    name: str
    version: str
    folder: Path
    information: Path | None
    server: str = ""
    base: Base | None = None

    @property
    def import_name(self) -> str:
        """The name that programs import: `pulumi_aws`."""
        return self.folder.name

    def identity(self) -> str:
        """A text that is equal for equal content: package, version and a digest of the list of installed files.

        Without such a list, the modification times of the folder and its main file are used.
        """
        digest = hashlib.sha256(f"{_EDITION}\0{self.name}\0{self.version}\0{self.folder}".encode())
        record = self.information / "RECORD" if self.information is not None else None
        for path in (record, self.folder / PLUGIN_FILE, self.folder / "__init__.py", self.folder):
            try:
                if path is not None and path is record:
                    digest.update(read_regular(path))
                elif path is not None:
                    status = path.stat()
                    digest.update(f"{status.st_mtime_ns} {status.st_size}".encode())
            except OSError:
                digest.update(b"-")
        return f"sdk:{self.name}@{self.version}:{digest.hexdigest()}"

    def metadata(self, key: str) -> Sequence[str]:
        """Return the values of a key of the wheel's METADATA; () without any."""
        top, _, _ = self._metadata().partition("\n\n")
        return tuple(re.findall(rf"^{re.escape(key)}: (.*)$", top, re.MULTILINE))

    def readme(self) -> str:
        """Return the description in the wheel's METADATA, which is the README of the SDK; "" without one."""
        return self._metadata().partition("\n\n")[2]

    def _metadata(self) -> str:
        if self.information is None:
            return ""
        try:
            return read_regular(self.information / "METADATA").decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return ""


def default_folders(project: Path | None = None, environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the site-packages folders to search, in order: of the `.venv` of the project (in its folder, or the nearest
    one above), of the active virtual environment, and of the Python that runs pclgen (including the user's folder, if
    Python uses it)."""
    variables = os.environ if environment is None else environment
    homes: list[Path] = []
    if project is not None:
        here = project.absolute()
        homes += [folder / ".venv" for folder in (here, *here.parents) if (folder / ".venv").is_dir()][:1]
    active = variables.get("VIRTUAL_ENV")
    if active:
        homes.append(Path(active))
    folders = [folder for home in homes for folder in packages_of(home)]
    folders += [Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))]
    if site.ENABLE_USER_SITE and site.USER_SITE:
        folders.append(Path(site.USER_SITE))
    return tuple(dict.fromkeys(folders))


def packages_of(home: Path) -> list[Path]:
    """Return the site-packages folders of a virtual environment, or the folder itself if it is one."""
    if any(home.glob(f"*/{PLUGIN_FILE}")) or any(home.glob(f"pulumi_*/{_UTILITIES}")):
        return [home]
    return sorted(home.glob("lib/python*/site-packages")) + sorted(home.glob("Lib/site-packages"))


def installations(packages: Path) -> list[Installation]:
    """Return the SDKs in a site-packages folder, by folder name. Unreadable ones are omitted."""
    try:
        with os.scandir(packages) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    sdks: list[Installation] = []
    for name in names:
        if name.endswith((".dist-info", ".py", ".pth")):
            continue
        if (packages / name / PLUGIN_FILE).is_file():
            sdk = _installation(packages, name, names)
        else:
            sdk = _old_installation(packages, name, names)
        if sdk is not None:
            sdks.append(sdk)
    return sdks


def _installation(packages: Path, folder: str, names: Sequence[str]) -> Installation | None:
    try:
        data = read_regular(packages / folder / PLUGIN_FILE)
        plugin = msgspec.json.decode(data, type=_Plugin)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        # Reported as a missing package, with the folder among those tried; other SDKs there remain usable.
        plugin = _Plugin()
    match = re.match(r"(?P<namespace>[^_]+)_(?P<name>.+)", folder)
    name = plugin.name or (match["name"].replace("_", "-") if match is not None else folder)
    information, listed = _information(folder, names)
    version = plugin.version.removeprefix("v") or listed
    base: Base | None = None
    package = plugin.parameterization or plugin.extension
    if package is not None:
        base = Base(name=name, version=version, parameter=package.value, extension=package is plugin.extension)
        name, version = package.name or name, package.version or listed or version
    return Installation(
        name=name,
        version=version,
        folder=packages / folder,
        information=packages / information if information else None,
        server=plugin.server,
        base=base,
    )


def _old_installation(packages: Path, folder: str, names: Sequence[str]) -> Installation | None:
    """Return an SDK without a plugin file, if the folder is one: the table that it registers has its name."""
    if "_" not in folder or not (packages / folder / _UTILITIES).is_file():
        return None
    try:
        registered = _REGISTERED.search(read_regular(packages / folder / "__init__.py").decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    if registered is None:
        return None
    information, version = _information(folder, names)
    return Installation(
        name=registered[1],
        version=version,
        folder=packages / folder,
        information=packages / information if information else None,
    )


def _information(folder: str, names: Sequence[str]) -> tuple[str, str]:
    """Return the name of the `.dist-info` folder of an SDK and the version in it, or two empty texts."""
    for name in names:
        project, _, version = name.removesuffix(".dist-info").rpartition("-")
        if name.endswith(".dist-info") and re.sub(r"[-.]", "_", project).casefold() == folder.casefold():
            return name, version
    return "", ""
