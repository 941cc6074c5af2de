"""Open tools on small families in an export: a script that routes a design with the core."""

from dataclasses import dataclass

from hashfabric.export.configuration import Exported
from hashfabric.export.ecp5 import OpenFlow
from hashfabric.export.templates import render
from hashfabric.flows.mapped import FLATTEN
from hashfabric.flows.nextpnr.target import OneRunTarget
from hashfabric.flows.targets import find_target

_KINDS = ("stream", "peripheral", "masked-peripheral")


def target_of(one: Exported) -> OneRunTarget | None:
    """Return the target that `one` is exported for, if it is of such a family and fits it."""
    if one.target is None or one.variant.kind not in _KINDS or one.primitives:
        return None
    target = find_target(one.target)
    return target if isinstance(target, OneRunTarget) and one.variant.is_for(target.name) else None


@dataclass(frozen=True)
class ScriptedFlow:
    """How open tools build an export for `target`; `plain` as in `OpenFlow`."""

    one: Exported
    plain: bool
    target: OneRunTarget

    @property
    def name(self) -> str:
        """The script's name."""
        return self.target.user_flow().script

    def script(self) -> str:
        """Return the script's text."""
        return self._render("one_run.sh.j2")

    def section(self) -> str:
        """Return the section of the README (Markdown)."""
        return self._render("one_run.md.j2").strip()

    def _render(self, template: str) -> str:
        flow = self.target.user_flow()
        synth = self.target.map_command()
        options = self.target.user_options()
        used = {*synth.split(), *flow.place, *options, *(["sed"] if flow.edit else [])}
        return render(
            template,
            header=self.one.header,
            flow=flow,
            target=self.target,
            read=OpenFlow(self.one, self.plain).read,
            plain=self.plain,
            synth=synth,
            options=options,
            reasons={option: why for option, why in flow.why.items() if option in used},
            flatten=FLATTEN,
        )
