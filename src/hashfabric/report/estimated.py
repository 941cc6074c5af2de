"""An estimate of a run as text: its jobs, their sum, and what each time is based on."""

from collections.abc import Collection, Mapping

from rich.table import Table

from hashfabric.implement.estimate import Basis, RunEstimate

WORDS: Mapping[Basis, str] = {
    "cached": "in the cache: nothing to do",
    "same job": "the time of the same job in this cache",
    "row": "the time that the row carries",
    "similar jobs": "by LUTs, from jobs of the same kind in this cache",
    "limit": "at most: the target's time limit, since no time is known",
    "unknown": "no time is known: not in the sum",
}
"""What each basis of a time means."""


def jobs_table(whole: RunEstimate) -> Table:
    """Return the work of a run that has not begun as a table for the terminal."""
    table = Table(title="Jobs", box=None, title_justify="left", padding=(0, 2, 0, 0))
    for column in ("Design", "Variant", "Target", "Job", "Times", "Each", "Known by"):
        table.add_column(column, justify="right" if column in ("Times", "Each") else "left")
    for one in whole.work:
        each = "–" if one.seconds is None else length_text(one.seconds)
        table.add_row(one.name, one.variant, one.target, one.what, str(one.jobs), each, one.basis)
    return table


def length_text(seconds: float) -> str:
    """Return a time for people: seconds, minutes or hours."""
    if seconds < 100:  # noqa: PLR2004 - up to here in seconds
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"  # noqa: PLR2004


def left(whole: RunEstimate, places: Collection[tuple[str, str]]) -> str:
    """Return how long the part of a run takes that is left: these designs and their targets."""
    rest = [one for one in whole.work if (one.name, one.target) in places]
    part = RunEstimate(rest, whole.processors)
    unknown = _unknown(part)
    if rest and all(one.basis == "unknown" for one in rest):
        return f"{unknown} left"
    return f"{_length(part)} left{f', without {unknown}' if unknown else ''}"


def summary(whole: RunEstimate) -> list[str]:
    """Return the sum in a line, and a line for each basis with the jobs that it is for."""
    jobs = sum(one.jobs for one in whole.work if one.basis != "unknown")
    unknown = _unknown(whole)
    without = f"{unknown} and the check" if unknown else "the check"
    lines = [
        f"{_length(whole)} on {whole.processors} processors for {jobs} jobs, "
        f"without {without} of each design in simulation"
        if jobs or not unknown
        else f"{unknown}: no sum"
    ]
    for basis, words in WORDS.items():
        if count := sum(one.jobs for one in whole.work if one.basis == basis):
            lines.append(f"{count} jobs {words}" if count > 1 else f"1 job {words}")
    return lines


def _length(whole: RunEstimate) -> str:
    """Return the sum; it is a bound where all is known and some is a limit."""
    known = {one.basis for one in whole.work}
    bound = "limit" in known and "unknown" not in known
    return f"{'at most' if bound else 'about'} {length_text(whole.seconds)}"


def _unknown(whole: RunEstimate) -> str:
    """Say how many jobs are not in the sum; empty for none."""
    jobs = sum(one.jobs for one in whole.work if one.basis == "unknown")
    return f"{jobs} job{'s' if jobs > 1 else ''} of unknown time" if jobs else ""
