"""The one error a user may see: one line on standard error and a non-zero exit."""


class LabError(Exception):
    """Bad input or a missing tool; its text is one clear line for the user."""


class Stop(BaseException):
    """The user, or the system, wants this to end; `number` is the signal that said so.

    No `KeyboardInterrupt`: typer turns that into an exit without a word.
    """

    def __init__(self, number: int) -> None:
        """Say which signal it was."""
        super().__init__(number)
        self.number = number
