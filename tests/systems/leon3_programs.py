"""Random SPARC programs for the lock-step with QEMU: `main` as text, and its data.

What is defined is played: no control transfer in the delay slot of a conditional branch, all
registers written before they are read, nothing that only one processor has (floating point, caches,
compare-and-swap). Traps happen often, and are skipped.
"""

import random

KEEP = {0, 7, 14, 30}
"""Registers that the programs count on: %g0, %g7 (data), %sp, %fp."""

DATA_BYTES = 1024

_ALU = ["add", "and", "or", "xor", "sub", "andn", "orn", "xnor", "addx", "subx"]
_ALU += [f"{name}cc" for name in ("add", "and", "or", "xor", "sub", "andn", "orn", "xnor")]
_ALU += ["addxcc", "subxcc", "taddcc", "tsubcc", "taddcctv", "tsubcctv", "mulscc"]
_ALU += ["sll", "srl", "sra"]
_LONG = ["umul", "smul", "umulcc", "smulcc", "udiv", "sdiv", "udivcc", "sdivcc"]
_LOADS = {"ld": 4, "ldub": 1, "lduh": 2, "ldsb": 1, "ldsh": 2, "ldd": 8, "swap": 4, "ldstub": 1}
_STORES = {"st": 4, "stb": 1, "sth": 2, "std": 8}
_PRIVILEGED = ["rd %psr, %r9", "rd %wim, %r9", "rd %tbr, %r9", "wr %r9, 0, %psr", "wr %r9, 0, %wim"]
_PRIVILEGED += ["wr %r9, 0, %tbr", "rett %r9", "lda [%g7] 0xb, %r9", "stda %r2, [%g7] 0xb"]
_CONDITIONS = ["n", "e", "le", "l", "leu", "cs", "neg", "vs"]
_CONDITIONS += ["a", "ne", "g", "ge", "gu", "cc", "pos", "vc"]


def _word(op: int, op3: int, rest: int = 0) -> int:
    return op << 30 | op3 << 19 | rest


_BAD = [0, 1 << 22, 6 << 22, 5 << 22]
_BAD += [_word(2, op3) for op3 in (0x09, 0x0D, 0x19, 0x1D, 0x2C, 0x2D, 0x34, 0x35, 0x39, 0x3E)]
_BAD += [_word(3, op3) for op3 in (0x08, 0x0B, 0x0E, 0x18, 0x20, 0x21, 0x23, 0x24, 0x27)]
_BAD += [_word(3, op3) for op3 in (0x28, 0x2C, 0x38, 0x3F)]
_BAD += [_word(3, op3, 1 << 25) for op3 in (0x03, 0x07, 0x13)]
_BAD += [_word(3, op3, 1 << 13) for op3 in (0x10, 0x14, 0x1F)]
_FOREIGN = [7 << 22, _word(2, 0x37)]
_FOREIGN += [_word(2, 0x36, rest) for rest in (1 << 5, 1 << 12, 1 << 13 | 1 << 6)]
_FOREIGN += [_word(3, op3) for op3 in (0x30, 0x31, 0x33, 0x34, 0x37)]
"""Words that trap: no instructions, or of units that are not there; rett while traps are on.

_FOREIGN are a co-processor's, which trap where rotates are emulated.
"""


class Source:
    """A random program of about a given number of instructions."""

    def __init__(self, seed: int, *, rotate: bool, windows: bool) -> None:
        """Take what may happen: rotates (not emulated), calls and windows."""
        self.random = random.Random(seed)
        self.rotate = rotate
        self.windows = windows
        self.lines: list[str] = []
        self.labels = 0
        self.depth = 0

    def text(self, count: int) -> str:
        """Return a program of at least `count` instructions."""
        pick = self.random
        leaves = "".join(self._leaf(number) for number in range(4))
        self.lines = []
        while len(self.lines) < count:
            what = pick.random()
            if what < 0.18:
                self._branch()
            elif what < 0.22:
                self._call()
            elif what < 0.27 and self.windows:
                self._window()
            elif what < 0.29:
                self._state()
            elif what < 0.31:
                self.lines.append(self._trap())
            else:
                self.lines.append(self._plain())
        for _ in range(self.depth):
            self.lines.append("restore")
        data = "".join(f"    .word {pick.getrandbits(32):#x}\n" for _ in range(DATA_BYTES // 4))
        body = "\n    ".join([*self._start(), *self.lines, "ba _end", "nop"])
        return (
            f"    .global main\nmain:\n    mov %o7, %g1\n    set keep, %g2\n    st %g1, [%g2]\n"
            f"    {body}\n_end:\n    set keep, %g2\n    ld [%g2], %o7\n    retl\n    nop\n{leaves}"
            f"    .data\n    .align 8\nkeep: .word 0\n    .align 8\n{data}data:\n{data}"
        )

    def _start(self) -> list[str]:
        """Give all registers of the window values; every other window gets its own by calls."""
        pick = self.random
        lines = ["set data, %g7"]
        for name in [*(f"g{i}" for i in range(1, 7)), *(f"l{i}" for i in range(8))]:
            lines.append(f"set {pick.getrandbits(32):#x}, %{name}")
        for name in (f"{kind}{i}" for kind in "oi" for i in range(8) if i != 6):
            lines.append(f"set {pick.getrandbits(32):#x}, %{name}")
        return lines

    def _register(self, *, odd: bool = True) -> str:
        choice = [n for n in range(1, 32) if n not in KEEP]
        if not odd:
            choice = [n for n in range(2, 30, 2) if n not in KEEP and n + 1 not in KEEP]
        # Few of them, so that one instruction often needs what the one before has made.
        return f"%r{self.random.choice(choice[:8] if self.random.random() < 0.6 else choice)}"

    def _operand(self) -> str:
        if self.random.random() < 0.5:
            return self._register()
        return str(
            self.random.choice([0, 1, 31, 32, -1, -4096, 4095, self.random.randrange(-64, 64)])
        )

    def _plain(self) -> str:
        """An instruction that may be in any delay slot, and takes one line."""
        makers = {
            self._arithmetic: 42,
            self._long: 4,
            self._load: 22,
            self._store: 14,
            self._sethi: 4,
            self._state_register: 7,
            self._rotate: 6 if self.rotate else 0,
            self._no_instruction: 2,
        }
        [make] = self.random.choices(list(makers), list(makers.values()))
        return make()

    def _arithmetic(self) -> str:
        name = self.random.choice(_ALU)
        return f"{name} {self._register()}, {self._operand()}, {self._register()}"

    def _long(self) -> str:
        name = self.random.choice(_LONG)
        return f"{name} {self._register()}, {self._operand()}, {self._register()}"

    def _load(self) -> str:
        name = self.random.choice(list(_LOADS))
        return f"{name} {self._place(_LOADS[name])}, {self._register(odd=name != 'ldd')}"

    def _store(self) -> str:
        name = self.random.choice(list(_STORES))
        return f"{name} {self._register(odd=name != 'std')}, {self._place(_STORES[name])}"

    def _sethi(self) -> str:
        return f"sethi {self.random.getrandbits(22):#x}, {self._register()}"

    def _state_register(self) -> str:
        if self.random.random() < 0.5:
            return f"wr {self._register()}, {self._operand()}, %y"
        # Where rotates are emulated their trap is seen in TBR.
        names = ["y", "y", "psr", "wim", "asr17", *([] if self.rotate else ["tbr"])]
        return f"rd %{self.random.choice(names)}, {self._register()}"

    def _rotate(self) -> str:
        numbers = self.random.choices([n for n in range(1, 32) if n not in KEEP], k=3)
        if self.random.random() < 0.5:
            return f"rol64i {numbers[0]}, {self.random.randrange(64)}, {numbers[1]}"
        return "rol64 {}, {}, {}".format(*numbers)

    def _no_instruction(self) -> str:
        if self.random.random() < 0.5:
            return "nop"
        return f".word {self.random.choice(_BAD if self.rotate else _BAD + _FOREIGN):#x}"

    def _place(self, size: int) -> str:
        at = self.random.randrange(-DATA_BYTES // 2, DATA_BYTES // 2)
        if self.random.random() < 0.95:
            at &= -size
        # Often the same ones, so that what is loaded has just been stored.
        return f"[%g7 + {at % 32 if self.random.random() < 0.5 else at}]"

    def _label(self) -> str:
        self.labels += 1
        return f"l{self.labels}"

    def _branch(self) -> None:
        pick = self.random
        label = self._label()
        annul = ",a" if pick.random() < 0.5 else ""
        # A setter of the condition codes right in front, one further, or long ago.
        for _ in range(pick.randrange(4)):
            if pick.random() < 0.5:
                rs1, rs2 = self._register(), self._operand()
                self.lines.append(f"subcc {rs1}, {rs2}, {pick.choice(['%g0', self._register()])}")
            else:
                self.lines.append(self._plain())
        if self.windows and pick.random() < 0.1:  # a window only where the branch is taken
            condition = pick.choice([name for name in _CONDITIONS if name != "a"])
            self.lines += [f"b{condition},a {label}", "save %sp, -96, %sp"]
            self.lines += [self._plain(), f"ba {label}b", "nop", f"{label}: restore", f"{label}b:"]
            return
        self.lines.append(f"b{pick.choice(_CONDITIONS)}{annul} {label}")
        self.lines.append(self._plain())
        for _ in range(pick.randrange(5)):
            self.lines.append(self._plain())
        self.lines.append(f"{label}:")

    def _call(self) -> None:
        pick = self.random
        if pick.random() < 0.5:
            self.lines.append(f"call leaf{pick.randrange(4)}")
            self.lines.append(self._returning())
            return
        # Through a register, and once around by a jump whose delay slot jumps.
        label = self._label()
        register = self._register()
        self.lines.append(f"set {label}, {register}")
        if pick.random() < 0.5:
            self.lines.append(f"jmpl {register}, {self._register()}")
        else:
            self.lines.append(f"jmpl {register} + 0, %g0")
            self.lines.append(pick.choice([f"jmpl {register} + 0, %g0", f"ba {label}"]))
            self.lines.append(f"{label}: nop")
            return
        self.lines.append(self._plain())
        for _ in range(pick.randrange(3)):
            self.lines.append(self._plain())
        self.lines.append(f"{label}:")

    def _leaf(self, number: int) -> str:
        body = "\n    ".join([*(self._returning() for _ in range(4)), "retl", self._returning()])
        return f"leaf{number}:\n    {body}\n"

    def _returning(self) -> str:
        """An instruction that does not change the address in %o7."""
        while (line := self._plain()).endswith(("%r15", " 15")):
            pass
        return line

    def _window(self) -> None:
        pick = self.random
        if self.depth and pick.random() < 0.5:
            self.lines.append(f"restore {self._register()}, {self._operand()}, {self._register()}")
            self.depth -= 1
            return
        self.lines.append("save %sp, -96, %sp")
        self.depth += 1
        for name in [*(f"l{i}" for i in range(8)), *(f"o{i}" for i in range(8) if i != 6)]:
            self.lines.append(f"set {pick.getrandbits(32):#x}, %{name}")

    def _state(self) -> None:
        """Other condition codes, or the user's mode for a while."""
        register = "%g2"
        self.lines.append(f"rd %psr, {register}")
        if self.random.random() < 0.7:
            self.lines.append(f"set {self.random.getrandbits(4) << 20:#x}, %g1")
            self.lines.append(f"wr {register}, %g1, %psr")
            return
        if self.random.random() < 0.3:
            self.lines.append(f"wr {register}, 8, %psr")  # no window has that number
            return
        self.lines.append(f"wr {register}, 0xc0, %psr")
        for _ in range(4):
            privileged = self.random.choice(_PRIVILEGED)
            self.lines.append(privileged if self.random.random() < 0.3 else self._plain())
        self.lines.append("ta 0x10")

    def _trap(self) -> str:
        name = self.random.choice(_CONDITIONS)
        return f"t{name} {self.random.randrange(0x11, 0x80)}"
