"""The base of errors that a user can resolve."""


class UserError(Exception):
    """A failure that is no bug of pclgen: the text says what is wrong, `hint` is the next step, if it is known."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
