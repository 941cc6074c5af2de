"""The registry: its files load, and a fault of a file is reported in one line."""

from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.targets import load_targets
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import (
    Timing,
    Variant,
    default_design,
    find_design,
    load_designs,
    source_hash,
)
from hashfabric.registry.sources import closure, essence, macros_in
from tests.support.commands import run


def test_this_checkout_loads() -> None:
    """Every design here has its sources, and its page in docs/."""
    designs = load_designs()
    assert "keccak-iterative" in designs
    for design in designs.values():
        assert (ROOT / design.docs).is_file(), design.docs


def test_a_design_is_read_whole(toy_root: Path) -> None:
    """The toy's entry comes back as it was written."""
    design = find_design("toy", toy_root)
    assert design.clocks_per_block == 24
    assert design.block_bits == 1088
    assert design.variant("core") == Variant(
        top="toy",
        kind="engine",
        parameters={"Step": 3, "Width": 20},
    )


def test_a_variant_may_have_its_own_timing(toy_root: Path) -> None:
    """What it says holds for it; what it does not say is the design's; the sources are the same."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    text += (
        '[variant.deep]\ntop = "toy"\nkind = "engine"\nslots = 4\n'
        'holds_state = false\nclocks_per_block = 24.5\nprofile = "pipelined"\nnote = "deep"\n'
        "parameters = { Step = 3, Width = 20 }\n"
    )
    path.write_text(text.replace("slots = 1", "slots = 1\ndata_delay = 2"), encoding="utf-8")
    design = find_design("toy", toy_root)
    core, deep = design.variant("core"), design.variant("deep")
    assert design.timing(core) == Timing(1, True, 24, 2)
    assert design.timing(deep) == Timing(4, False, 24.5, 2)
    assert (deep.profile, deep.note) == ("pipelined", "deep")
    assert source_hash(deep, toy_root) == source_hash(core, toy_root)


def test_what_is_common_stands_once(toy_root: Path) -> None:
    """A variant's own goes before it, in its firmware too; a path may have the variant's name."""
    for name in ("one", "two", "link.ld"):
        path = toy_root / "firmware" / f"{name}.c" if "." not in name else toy_root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("", encoding="utf-8")
    path = toy_root / "designs" / "toy.toml"
    head = path.read_text(encoding="utf-8").partition("[variant")[0]
    common = (
        '[common]\ntop = "toy"\nkind = "system"\nnote = "what all have"\n'
        '[common.firmware]\ncompiler = "riscv64-unknown-elf-gcc"\n'
        'version = "1.0"\nflags = ["-O2"]\n'
        'sources = ["firmware/{variant}.c", "link.ld"]\n'
        '[variant.one]\n[variant.two]\nnote = "its own"\nfirmware = { flags = ["-O1"] }\n'
    )
    path.write_text(head + common, encoding="utf-8")
    one, two = load_designs(toy_root)["toy"].variants.values()
    assert (one.top, one.note, two.note) == ("toy", "what all have", "its own")
    assert one.firmware is not None and two.firmware is not None
    assert one.firmware.sources == ["firmware/one.c", "link.ld"]
    assert two.firmware.sources == ["firmware/two.c", "link.ld"]
    assert (one.firmware.flags, two.firmware.flags) == (["-O2"], ["-O1"])
    assert two.firmware.version == "1.0"
    for old, new, wanted in (
        ("[variant.two]", "[variant.three]", "variant.three.firmware.sources: no file"),
        ('kind = "system"', 'kind = "motor"', "variant.one.kind: "),
        ('flags = ["-O1"]', "flags = 3", "variant.two.firmware.flags"),
    ):
        path.write_text((head + common).replace(old, new), encoding="utf-8")
        with pytest.raises(LabError, match=wanted):
            load_designs(toy_root)


def test_a_variant_may_compute_less(toy_root: Path) -> None:
    """Its own functions, and throughput by their block; no others than the design's."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    text += '[variant.less]\ntop = "toy"\nkind = "engine"\n'
    path.write_text(text + 'functions = ["shake128"]\n', encoding="utf-8")
    design = find_design("toy", toy_root)
    core, less = design.variant("core"), design.variant("less")
    assert design.functions_of(core) == ["sha3-256", "shake128"]
    assert design.functions_of(less) == ["shake128"]
    assert (design.block_bits_of(core), design.block_bits_of(less)) == (1088, 1344)
    for name in ("sha3-512", "jh-256", "sha4"):
        path.write_text(text + f'functions = ["{name}"]\n', encoding="utf-8")
        with pytest.raises(LabError, match=f"variant less: '{name}' is no function of the design"):
            find_design("toy", toy_root)


def test_a_variant_may_compute_another_familys_functions(toy_root: Path) -> None:
    """Those of the same permutation, which `all_functions` has."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    text += (
        '[variant.more]\ntop = "toy"\nkind = "engine"\nfunctions = ["shake128", "turboshake128"]\n'
    )
    path.write_text(text, encoding="utf-8")
    design = find_design("toy", toy_root)
    assert design.functions_of(design.variant("more")) == ["shake128", "turboshake128"]
    assert design.functions == ["sha3-256", "shake128"]
    assert design.all_functions == ["sha3-256", "shake128", "turboshake128"]


def test_a_variant_may_frame_functions(toy_root: Path) -> None:
    """Those of SP 800-185, which `list` shows beside the variant."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    text += '[variant.more]\ntop = "toy"\nkind = "engine"\n'
    path.write_text(text + 'framed = ["kmac128", "tuplehashxof256"]\n', encoding="utf-8")
    said = run(toy_root, "list", "toy").stdout
    assert "more also: kmac128, tuplehashxof256" in said
    path.write_text(text + 'framed = ["sha3-256"]\n', encoding="utf-8")
    with pytest.raises(LabError, match="variant more: 'sha3-256' is no function of SP 800-185"):
        find_design("toy", toy_root)


def test_a_parameter_is_set_once() -> None:
    """The second value of a parameter is a slip of the hand."""
    with pytest.raises(LabError, match="--set Stream=1: Stream is set twice"):
        find_design("keccak-regs").configured("apb", ["Stream=0", "Stream=1"])


def test_copies_are_of_a_variant_that_is_tested() -> None:
    """What stands side by side is another variant's top, with its parameters and timing."""
    for design in load_designs().values():
        single = [
            (variant.top, variant.parameters, design.timing(variant))
            for variant in design.variants.values()
            if variant.copies == 1
        ]
        for variant in design.variants.values():
            assert (variant.top, variant.parameters, design.timing(variant)) in single


def test_copies_are_for_targets_that_place_them() -> None:
    """So that `bench --target` of all designs chooses none that its target refuses."""
    for design in load_designs().values():
        for name, variant in design.variants.items():
            for target in load_targets().values():
                if isinstance(target, RoutedTarget) and variant.is_for(target.name):
                    assert target.with_copies(variant.copies), (design.name, name)


def test_every_function_has_a_design() -> None:
    """The one that computes it where none is named has a stream that does."""
    for name, function in FUNCTIONS.items():
        design = default_design(function)
        streams = [variant for variant in design.variants.values() if variant.kind == "stream"]
        assert any(name in design.functions_of(variant) for variant in streams), name


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('name = "toy"', 'name = "toy', "designs/toy.toml: not valid TOML"),
        ("slots = 1", "slots = 0", "slots: "),
        ("slots = 1", 'slots = "one"', "slots: "),
        ("slots = 1", "slots = 1\nsolts = 1", "solts: "),
        ("slots = 1\n", "", "slots: Field required"),
        ("holds_state = true", "holds_state = 1", "holds_state: "),
        ("clocks_per_block = 24", "clocks_per_block = 0", "clocks_per_block: "),
        ('"shake128"]', '"shake129"]', "functions: unknown function 'shake129'"),
        ('"shake128"]', '"sha3-256"]', "functions: a function is named twice"),
        ('top = "toy"', 'top = "none"', "variant.core.top: no file none.sv"),
        ('top = "toy"', 'top = "toy"\nsources = ["rtl/toy.sv"]', "variant.core.sources: "),
        ('kind = "engine"', 'kind = "motor"', "variant.core.kind: "),
        ('kind = "engine"', 'kind = "engine"\nclock = "rst_i"', "clock and reset"),
        ('kind = "engine"', 'kind = "system"', "a system and an SoC have firmware"),
        ('kind = "engine"', 'kind = "word-engine"', "a word-engine has word_clocks"),
        (
            'kind = "engine"',
            'kind = "engine"\nword_clocks = { add = 0, read = 0, wipe = 0 }',
            "other kinds have no word_clocks",
        ),
        (
            'kind = "engine"',
            'kind = "word-engine"\nword_clocks = { add = 0, read = 0 }',
            "variant.core.word_clocks.wipe: ",
        ),
        ('kind = "engine"', 'kind = "engine"\npackages = ["../cpu.v"]', "variant.core.packages"),
        ('kind = "engine"', 'kind = "engine"\nslots = 0', "variant.core.slots: "),
        ('kind = "engine"', 'kind = "engine"\ndata_delay = -1', "variant.core.data_delay: "),
        ('kind = "engine"', 'kind = "engine"\nclocks_per_block = 0', "core.clocks_per_block: "),
        ('kind = "engine"', 'kind = "engine"\nprofile = "P"', "variant.core.profile: "),
        ('name = "toy"', 'name = "boy"', "name: 'boy' is not the file's name"),
    ],
)
def test_a_corrupted_entry_is_one_line(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """The message names the file and the field."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LabError) as caught:
        load_designs(toy_root)
    message = str(caught.value)
    assert "designs/toy.toml" in message
    assert wanted in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("toy-gcc", "toy-gcc", "variant.core.firmware.compiler: "),
        ("toy-gcc", "riscv64-unknown-elf-gcc", "variant.core.firmware.sources: no file a.c"),
        ('"a.ld"', '"b.c"', "variant.core.firmware.sources: one linker script (.ld) is required"),
    ],
)
def test_a_corrupted_system_is_one_line(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """Of its firmware too."""
    path = toy_root / "designs" / "toy.toml"
    text = path.read_text(encoding="utf-8").replace('kind = "engine"', 'kind = "system"')
    text += (
        '[variant.core.firmware]\ncompiler = "toy-gcc"\nversion = "1"\nflags = []\n'
        'sources = ["a.c", "a.ld"]\n'
    )
    if wanted.startswith("variant.core.firmware.sources: one"):
        text = text.replace("toy-gcc", "riscv64-unknown-elf-gcc")
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LabError) as caught:
        load_designs(toy_root)
    assert wanted in str(caught.value)


def test_a_file_that_is_no_text(toy_root: Path) -> None:
    """Bytes that are not UTF-8 are reported, too."""
    (toy_root / "designs" / "toy.toml").write_bytes(b"name = \xff\xfe")
    with pytest.raises(LabError, match="not UTF-8"):
        load_designs(toy_root)


def test_unknown_names(toy_root: Path) -> None:
    """An unknown design or variant lists the known ones."""
    with pytest.raises(LabError, match="unknown design 'none': one of toy"):
        find_design("none", toy_root)
    with pytest.raises(LabError, match="unknown variant of toy 'none': one of core"):
        find_design("toy", toy_root).variant("none")


def test_the_source_hash_sees_every_change(toy_root: Path) -> None:
    """Contents, parameters and top each change the hash; reading again does not."""
    variant = find_design("toy", toy_root).variant("core")
    (toy_root / "rtl" / "other.sv").write_text("module other; endmodule", encoding="utf-8")
    hashes = {
        source_hash(variant, toy_root),
        source_hash(variant.model_copy(update={"top": "other"}), toy_root),
        source_hash(variant.model_copy(update={"parameters": {"Step": 4}}), toy_root),
    }
    assert source_hash(variant, toy_root) in hashes
    toy = toy_root / "rtl" / "toy.sv"
    toy.write_text(toy.read_text(encoding="utf-8") + "wire changed;", encoding="utf-8")
    hashes.add(source_hash(variant, toy_root))
    assert len(hashes) == 4


def put(root: Path, **files: str) -> None:
    """Write RTL files, each of a name."""
    for name, text in files.items():
        (root / "rtl" / f"{name}.sv").write_text(text, encoding="utf-8")


def test_files_are_what_the_top_uses(toy_root: Path) -> None:
    """Each after the files it uses, packages first; names in comments and strings do not count."""
    put(
        toy_root,
        top='import a_pkg::*; // unused\n leaf u_leaf (); initial $display("unused");',
        leaf="parameter int X = a_pkg::X;",
        a_pkg="package a_pkg; endpackage",
        unused="",
    )
    assert list(closure("top", toy_root)) == ["rtl/a_pkg.sv", "rtl/leaf.sv", "rtl/top.sv"]


def test_files_that_cannot_be_found(toy_root: Path) -> None:
    """A name that no file has, one that two have, and two that use each other: one line each."""
    with pytest.raises(LabError, match=r"no file none\.sv below rtl"):
        closure("none", toy_root)
    put(toy_root, one="two u_two ();", two="one u_one ();")
    with pytest.raises(LabError, match="one uses two uses one: a circle"):
        closure("one", toy_root)
    (toy_root / "tests" / "checkers").mkdir(parents=True)
    (toy_root / "tests" / "checkers" / "one.sv").write_text("", encoding="utf-8")
    with pytest.raises(
        LabError, match=r"rtl/one\.sv and tests/checkers/one\.sv hold the same name"
    ):
        closure("one", toy_root)


def test_a_datapath_tests_no_macro_of_a_target() -> None:
    """Only primitives and their package do; other modules choose by the package's constants."""
    texts = {path: path.read_text("utf-8") for path in (ROOT / "rtl").rglob("*.sv")}
    testing = [path for path in texts if macros_in({"": texts[path]}, Ecp5Target.macros)]
    assert testing and all(path.is_relative_to(ROOT / "rtl" / "prim") for path in testing)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("// other\nmodule a;  // note\n\n\twire  b ; /* c\n d */ endmodule\n", True),
        (
            "module a; wire b ;\n`ifndef HF_NO_PARAMETER_CHECKS\n  if (B) begin : gen_bad\n"
            '    $fatal(1, "a: B");\n  end\n`endif  // HF_NO_PARAMETER_CHECKS\nendmodule',
            True,
        ),
        ("module a;wire b ; endmodule", False),  # white space is not taken away
        ('module a; wire b ; endmodule // "', True),
        ("module a; wire c ; endmodule", False),
    ],
)
def test_comments_are_no_other_source(text: str, same: bool) -> None:
    """Comments, white space and checks of parameters do not count, all else does."""
    assert (essence(text) == essence("module a; wire b ; endmodule")) is same


def test_strings_are_left_as_they_are() -> None:
    """What looks like a comment in one, and its blanks."""
    text = 'initial $fatal(1, "no  // \\" comment /* here"); // but here'
    assert essence(text) == 'initial $fatal(1, "no  // \\" comment /* here");'


NAMED = """
[value.Step]
one = 1
three = 3
"""


def named(root: Path, old: str = "", new: str = "") -> Variant:
    """The toy's core with its step said by name, and `old` replaced."""
    path = root / "designs" / "toy.toml"
    text = path.read_text("utf-8").replace("[variant.core]", f"{NAMED}\n[variant.core]", 1)
    text = text.replace("Step = 3", 'Step = "three"')
    assert old in text
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return find_design("toy", root).variant("core")


def test_a_value_is_said_by_its_name(toy_root: Path) -> None:
    """The number goes to the tools; hashes are those of the number."""
    plain = find_design("toy", toy_root).variant("core")
    assert named(toy_root) == plain


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('"three"', '"thirty"', "variant core: Step: 'thirty': one of one, three"),
        ("Width = 20", 'Width = "wide"', "variant.core.parameters.Width"),
        ("three = 3", 'three = "3"', "value.Step.three"),
        ('"three"', "3.5", "variant.core.parameters.Step"),
        ("[value.Step]", "[value]", "value.one"),
        ('family = "keccak"', 'family = "snefru"', "family: unknown family 'snefru'"),
        ('"shake128"', '"jh-256"', "'jh-256' is no function of family keccak"),
        ('kind = "engine"', 'kind = "engine"\nsuite = "never"', "variant.core.suite"),
        ('kind = "engine"', 'kind = "engine"\ntargets = []', "variant.core.targets"),
    ],
)
def test_what_is_no_entry_is_reported(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """In one line, with file and field."""
    with pytest.raises(LabError) as caught:
        named(toy_root, old, new)
    assert wanted in str(caught.value)
    assert "designs/toy.toml" in str(caught.value)


def test_a_variant_is_for_its_targets(toy_root: Path) -> None:
    """One that names none is for all."""
    core = find_design("toy", toy_root).variant("core")
    assert core.is_for("ecp5-85k")
    only = named(toy_root, 'kind = "engine"', 'kind = "engine"\ntargets = ["xc7"]')
    assert [only.is_for(name) for name in ("ecp5-85k", "xc7")] == [False, True]


def test_parameters_are_set_by_name_and_type() -> None:
    """A number, a truth value, a name that the design gives to a value; what is not set stays."""
    design = find_design("keccak-two-stage")
    one = design.configured("core", ["RoundConstants=ring", "VsxRegister=false"])
    assert one.parameters == {"VsxRegister": False, "RoundConstants": 2}
    assert design.configured("core", []) == design.variant("core")
    stream = find_design("keccak-pipelined").configured("stream", ["Rounds=2", "DataWidth=256"])
    assert stream.parameters == {"Rounds": 2, "DataWidth": 256}
    assert stream.profile == "pipelined-stream"


def test_what_follows_from_a_parameter_is_set_with_it() -> None:
    """A finalist's functions and a rule's profile are those of the registry's own variant."""
    blake = find_design("blake")
    assert (
        blake.configured("core-256", ["Width=512"]).functions == blake.variant("core-512").functions
    )
    assert blake.configured("core-256", ["Width=256"]) == blake.variant("core-256")
    assert (
        blake.configured("core-256", ["Width=9"]).functions == blake.variant("core-256").functions
    )
    rounds = find_design("keccak-combinational")
    assert (
        rounds.configured("core", ["RoundsPerClock=6"]).profile == rounds.variant("core-6").profile
    )
    assert rounds.configured("stream", ["DataWidth=32"]).profile == "rounds-24"
    one = find_design("keccak-iterative")
    assert one.configured("core", ["RoundsPerClock=6"]).profile == "rounds-6"


@pytest.mark.parametrize(
    ("setting", "wanted"),
    [
        ("DataWidth", "NAME=VALUE"),
        ("Slots=1", "unknown parameter of keccak-iterative stream 'Slots': one of DataWidth, "),
        ("DataWidth=wide", "--set DataWidth=wide: a number"),
        ("DataWidth=-8", "--set DataWidth=-8: a number"),
    ],
)
def test_what_cannot_be_set_is_reported(setting: str, wanted: str) -> None:
    """A local parameter is none that a user sets."""
    with pytest.raises(LabError, match=wanted.replace("(", r"\(")):
        find_design("keccak-iterative").configured("stream", [setting])


def test_a_truth_value_is_no_number() -> None:
    """As the type in the RTL says."""
    with pytest.raises(LabError, match="true or false"):
        find_design("keccak-two-stage").configured("core", ["VsxRegister=2"])
