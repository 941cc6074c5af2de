"""The one error a user may see: one line on standard error and a non-zero exit."""


class LabError(Exception):
    """Bad input or a missing tool; its text is one clear line for the user."""
