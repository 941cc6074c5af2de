"""The one error a user may see: one line on standard error and a non-zero exit."""


class LabError(Exception):
    """Bad input or a missing tool; its text is one clear line for the user."""


class Hopeless(LabError):
    """What would fail all further work of a run too: a full disk, a scheduler that is gone."""


class Stop(BaseException):
    """The user or the system ends this process; `number` is the signal.

    Not a `KeyboardInterrupt`: typer turns that into a silent exit.
    """

    def __init__(self, number: int) -> None:
        """Keep the signal."""
        super().__init__(number)
        self.number = number
