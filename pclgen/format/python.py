"""The formatter of generated Python: black, in process.

Comes in: Python source.  Goes out: the same program in black's layout (88 columns, double quotes).
"""

from __future__ import annotations


def format_python(text: str) -> str:
    """`text` as black writes it.

    Raises `ValueError` when `text` is no Python 3.9 program: that is a mistake of pclgen, never of its user.
    """
    from black import format_str
    from black.mode import Mode, TargetVersion
    from black.parsing import InvalidInput

    mode = Mode(target_versions={TargetVersion.PY39}, line_length=88)
    try:
        return format_str(text, mode=mode)
    except InvalidInput as error:
        raise ValueError(f"the generated Python is malformed: {error}") from error
