"""The site in a real browser: filter, sort, columns, CSV, plot, search, dark, phone; no error."""

import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from hashfabric.registry.designs import load_designs
from hashfabric.registry.peers import load_peers
from hashfabric.registry.results import MeasuredRow, load_rows
from hashfabric.report.selection import Selection
from hashfabric.site import build
from tests.support.browser import browser, resize

pytestmark = pytest.mark.slow

ROWS = load_rows()
DESIGNS = load_designs()
DESKTOP, PHONE = (1280, 900), (390, 844)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this checkout, with the scripts of others."""
    folder = tmp_path_factory.mktemp("site") / "out"
    begun = time.monotonic()
    build.write(folder)
    assert time.monotonic() - begun < 60
    return folder


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of this file; `downloads` is its folder."""
    with browser(tmp_path_factory.mktemp("downloads")) as made:
        yield made


def complaints(driver: Chrome) -> list[str]:
    """What pages wrote to the console since the last call: errors, and files not found."""
    log: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in log]


@pytest.fixture
def visit(site: Path, driver: Chrome) -> Iterator[Callable[..., Chrome]]:
    """Open a page at a size; at the end of the test no page has complained."""
    driver.get("about:blank")
    complaints(driver)

    def opened(address: str, size: tuple[int, int] = DESKTOP) -> Chrome:
        resize(driver, *size)
        driver.get(f"{site.as_uri()}/{address}")
        return driver

    yield opened
    assert complaints(driver) == []


def one(driver: Chrome, selector: str) -> WebElement:
    """The element of a selector."""
    return driver.find_element(By.CSS_SELECTOR, selector)


def until(driver: Chrome, holds: Callable[[Chrome], object]) -> None:
    """Wait until it holds."""
    WebDriverWait(driver, 20, ignored_exceptions=[Exception]).until(holds)


def shown(driver: Chrome) -> list[dict[str, Any]]:
    """The rows of the table as they stand, all pages of it."""
    found: list[dict[str, Any]] = driver.execute_script(
        "return hfTable.getData('active').map(({design, variant, target, luts, gbps}) =>"
        " ({design, variant, target, luts, gbps}))"
    )
    return found


def count(driver: Chrome, number: int) -> bool:
    """Whether the page says that it shows this number of rows."""
    return one(driver, "#count").text.partition(";")[0] == f"{number} of {len(ROWS)} rows"


def of(function: str, **more: tuple[str, ...]) -> list[MeasuredRow]:
    """The rows of a function, as the command line chooses them."""
    found = Selection(functions=[function], **more).of(ROWS, DESIGNS)
    return [row for row in found if isinstance(row, MeasuredRow)]


def drawn(driver: Chrome) -> bool:
    """Whether every diagram is drawn that is not in a closed part of the page."""
    places = "details[open] pre.mermaid, article > pre.mermaid, main > pre.mermaid"
    blocks = driver.find_elements(By.CSS_SELECTOR, places)
    return all(block.find_elements(By.TAG_NAME, "svg") for block in blocks)


def test_every_page_at_both_sizes(site: Path, visit: Callable[..., Chrome]) -> None:
    """Nothing is wider than the screen, and nothing complains; all diagrams are drawn."""
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert len(pages) > 100
    wide, empty = [], []
    for size in (DESKTOP, PHONE):
        for page in pages:
            driver = visit(page, size)
            if driver.execute_script(
                "return document.documentElement.scrollWidth > window.innerWidth"
            ):
                wide.append((page, size))
            if size == DESKTOP and driver.find_elements(By.CSS_SELECTOR, "pre.mermaid"):
                until(driver, drawn)
                if "Syntax error" in driver.page_source:
                    empty.append(page)
    assert (wide, empty) == ([], [])


def test_filter_and_sort(visit: Callable[..., Chrome]) -> None:
    """As a search through the rows gives them."""
    driver = visit("results.html?function=")
    until(driver, lambda d: count(d, len(ROWS)))
    assert "; Gb/s is of " in one(driver, "#count").text
    speeds = [row["gbps"] for row in shown(driver)]
    known = [speed for speed in speeds if speed is not None]
    assert known == sorted(known, reverse=True)
    assert speeds[len(known) :] == [None] * (len(speeds) - len(known))

    Select(one(driver, "#target")).select_by_value("ecp5-85k")
    one(driver, "#min_gbps").send_keys("5")
    one(driver, "#max_luts").send_keys("9000")
    wanted = [
        row for row in ROWS
        if row.target == "ecp5-85k" and row.gbps is not None and row.gbps >= 5 and row.luts <= 9000
    ]  # fmt: skip
    until(driver, lambda d: count(d, len(wanted)))
    one(driver, '.tabulator-col[tabulator-field="luts"]').click()
    luts = [row["luts"] for row in shown(driver)]
    assert luts == sorted(row.luts for row in wanted)
    one(driver, '.tabulator-col[tabulator-field="luts"]').click()
    assert [row["luts"] for row in shown(driver)] == luts[::-1]

    one(driver, "#words").send_keys("pipelined stream")
    until(driver, lambda d: 0 < len(shown(d)) < len(wanted))
    assert all("pipelined" in str(row["design"]) for row in shown(driver))
    address = driver.current_url
    assert "sort=-luts" in address and "function=&" in address
    one(driver, "#reset").click()
    until(driver, lambda d: count(d, len(of("sha3-256"))))
    assert ";" not in one(driver, "#count").text
    Select(one(driver, "#function")).select_by_value("sha3-512")
    until(driver, lambda d: count(d, len(of("sha3-512"))))
    assert one(driver, "#count").text.endswith("; Gb/s is of sha3-256")
    driver.get("about:blank")
    driver.get(address)
    until(driver, lambda d: len(shown(d)) > 1)
    luts = [row["luts"] for row in shown(driver)]
    assert luts == sorted(luts, reverse=True)
    one(driver, "#words").clear()
    one(driver, "#words").send_keys("nothing-of-this-name")
    until(driver, lambda d: count(d, 0))
    assert one(driver, ".tabulator-placeholder").text == "No row fits"


def test_columns_and_csv(visit: Callable[..., Chrome], driver: Chrome, tmp_path: Path) -> None:
    """A column is shown when chosen; the file has the rows that are shown, with their figures."""
    driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    visit("results.html")
    until(driver, lambda d: count(d, len(of("sha3-256"))))
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, ".tabulator-col-title")]
    assert "DSP" not in heads
    one(driver, "details.menu summary").click()
    one(driver, '#columns input[name="dsps"]').click()
    one(driver, '#columns input[name="kind"]').click()
    one(driver, '#columns input[name="mbps_per_lut"]').click()
    visible = "return hfTable.getColumns().filter((c) => c.isVisible()).map((c) => c.getField())"
    names = driver.execute_script(visible)
    assert "dsps" in names and "kind" not in names
    one(driver, "h1").click()
    Select(one(driver, "#function")).select_by_value("skein-512-256")
    until(driver, lambda d: 0 < len(shown(d)) < 20)
    one(driver, "#csv").click()
    file = tmp_path / "hashfabric.csv"
    until(driver, lambda d: file.exists())
    with file.open(encoding="utf-8-sig", newline="") as text:
        lines = list(csv.DictReader(text))
    assert [(line["Design"], line["Variant"], line["LUT in harness"]) for line in lines] == [
        (row["design"], row["variant"], str(row["luts"])) for row in shown(driver)
    ]
    assert "DSP" in lines[0] and "Mb/s per LUT" not in lines[0]
    assert {"Variant", "Kind", "Seeds", "LUT is", "Speed of"} <= set(lines[0])
    one(driver, "#reset").click()
    until(driver, lambda d: "dsps" not in d.execute_script(visible))
    assert {"kind", "mbps_per_lut"} <= set(driver.execute_script(visible))
    ticked = "return [...document.querySelectorAll('#columns input:checked')].map((b) => b.name)"
    assert set(driver.execute_script(ticked)) == set(driver.execute_script(visible))


def test_how_a_row_was_measured(visit: Callable[..., Chrome]) -> None:
    """A click on a row shows its tools, seeds and commands; a link in it goes to the design."""
    driver = visit("results.html?words=keccak-tiny%20core&target=ecp5-85k")
    until(driver, lambda d: 0 < len(shown(d)) < 5)
    row = next(row for row in ROWS if (row.name, row.target) == ("keccak-tiny", "ecp5-85k")
               and row.variant == shown(driver)[0]["variant"])  # fmt: skip
    one(driver, '.tabulator-row .tabulator-cell[tabulator-field="luts"]').click()
    text = one(driver, "dialog[open]").text
    assert row.fmax_mhz is not None
    for said in (row.fmax_mhz.text(), row.provenance.source_hash, "nextpnr-ecp5", "Commands"):
        assert said in text
    assert f"{row.gbps} (" in text
    one(driver, "dialog .close").click()
    assert not driver.find_elements(By.CSS_SELECTOR, "dialog[open]")
    one(driver, '.tabulator-row .tabulator-cell[tabulator-field="design"] a').click()
    until(driver, lambda d: d.title.startswith("keccak-tiny"))


def test_one_seed_has_no_range(visit: Callable[..., Chrome]) -> None:
    """The dialog has the figure without one."""
    row = next((row for row in of("sha3-256") if row.one_seed), None)
    if row is None:
        pytest.skip("no row of one seed")
    driver = visit(f"results.html?words={row.name}/{row.variant}&target={row.target}")
    until(driver, lambda d: 0 < len(shown(d)) < 20)
    place = [(r["design"], r["variant"]) for r in shown(driver)].index((row.name, row.variant))
    driver.find_elements(By.CSS_SELECTOR, '.tabulator-cell[tabulator-field="luts"]')[place].click()
    assert f"Gb/s\n{row.gbps}\n" in one(driver, "dialog[open]").text


def test_the_front_page_asks_the_table(visit: Callable[..., Chrome]) -> None:
    """The form leads to the filtered table, best first."""
    driver = visit("index.html")
    one(driver, "#need button").click()
    until(driver, lambda d: urlsplit(d.current_url).path.endswith("results.html"))
    until(driver, lambda d: len(shown(d)) > 0)
    luts = [row["luts"] for row in shown(driver)]
    streams = of("sha3-256", kinds=("stream",), targets=("ecp5-85k",))
    assert len(luts) == sum((row.gbps or 0) >= 5 for row in streams)
    streams = [row for row in streams if (row.gbps or 0) >= 5]
    assert luts == sorted(row.luts for row in streams)


def marks(driver: Chrome, name: str) -> list[dict[str, Any]]:
    """The points of a layer of the plot."""
    found: list[dict[str, Any]] = driver.execute_script(f"return hfView.data('{name}')")
    return found


def test_the_plot(visit: Callable[..., Chrome]) -> None:
    """Its points are rows; choices change them; a point says where it is from, and leads there."""
    driver = visit("plot.html")
    until(driver, lambda d: len(marks(d, "ours")) > 20)
    for point in marks(driver, "ours"):
        row = next(row for row in ROWS if f"{row.name}/{row.variant}" == point["name"]
                   and row.target == "ecp5-85k")  # fmt: skip
        assert (row.luts, row.gbps) == (point["x"], point["gbps"])
    assert {point["speed_of"] for point in marks(driver, "ours")} == {"sha3-256"}
    boxes = driver.find_elements(By.CSS_SELECTOR, "#kinds input")
    assert {box.get_attribute("name") for box in boxes} == {
        DESIGNS[row.name].variants[row.variant].kind for row in ROWS if row.gbps is not None
    }
    peers = marks(driver, "theirs")
    assert {point["group"] for point in peers} == {"peers, measured here"}
    assert {point["name"]: point["one_seed"] for point in peers} == {
        f"{peer.title} {core.name}": len(core.fmax_mhz) == 1
        for peer in load_peers() for core in peer.cores if core.measured
    }  # fmt: skip
    one(driver, "#papers").click()
    until(driver, lambda d: len(marks(d, "theirs")) > 20)
    assert {point["family"] for point in marks(driver, "theirs")} == {"keccak"}
    one(driver, '#kinds input[name="engine"]').click()
    until(driver, lambda d: all(point["kind"] != "engine" for point in marks(d, "ours")))
    Select(one(driver, "#area")).select_by_value("luts_core")
    core = {f"{row.name}/{row.variant}": row.luts_core for row in ROWS if row.target == "ecp5-85k"}
    until(driver, lambda d: all(core[str(p["name"])] == p["x"] for p in marks(d, "ours")))
    assert all(str(point["group"]).startswith("papers") for point in marks(driver, "theirs"))

    place = driver.execute_script(
        "const p = hfView.data('ours').find((one) => one.name === 'keccak-regs/apb-tiny');"
        "const o = hfView.origin(); const c = document.querySelector('#plot .marks');"
        "const s = c.getBoundingClientRect(); const pad = hfView.padding();"
        "return [s.left + pad.left + o[0] + hfView.scale('x')(p.x),"
        " s.top + pad.top + o[1] + hfView.scale('y')(p.gbps)]"
    )
    actions = ActionChains(driver)
    pointer = actions.w3c_actions.pointer_action
    pointer.move_to_location(*map(round, place))  # type: ignore[no-untyped-call]
    actions.perform()
    until(driver, lambda d: one(d, "#vg-tooltip-element.visible"))
    tip = one(driver, "#vg-tooltip-element").text
    for said in ("keccak-regs/apb-tiny", "nextpnr-ecp5", "Provenance", "MHz over seeds"):
        assert said in tip
    Select(one(driver, "#function")).select_by_value("jh-256")
    until(driver, lambda d: {p["design"] for p in marks(d, "ours")} == {"jh"})
    assert {point["family"] for point in marks(driver, "theirs")} == {"jh"}
    Select(one(driver, "#function")).select_by_value("")
    Select(one(driver, "#target")).select_by_value("ice40-hx8k")
    routed = [row for row in ROWS if row.target == "ice40-hx8k" and row.gbps is not None]
    until(driver, lambda d: 0 < len(marks(d, "ours")) <= len(routed))


def test_search(visit: Callable[..., Chrome]) -> None:
    """From any page: the first hit is the page of that name, and the link leads to its heading."""
    driver = visit("designs/jh.html")
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    one(driver, "#search").send_keys("word contract")
    until(driver, lambda d: len(d.find_elements(By.CSS_SELECTOR, "#found a")) > 3)
    first = one(driver, "#found a")
    assert "/docs/reference/word-contract.html" in str(first.get_attribute("href"))
    one(driver, "#search").send_keys(Keys.ENTER)
    until(driver, lambda d: "word-contract.html" in d.current_url)
    one(driver, "#search").send_keys("zzzzqqq")
    until(driver, lambda d: one(d, "#found .none").text == "Nothing found")
    one(driver, "#search").send_keys(Keys.ESCAPE)
    assert not one(driver, "#found").is_displayed()


def test_dark(visit: Callable[..., Chrome]) -> None:
    """The choice holds on the next page; text stays readable on its ground."""
    driver = visit("index.html")
    driver.execute_script("localStorage.clear()")
    driver = visit("index.html")
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = driver.execute_script(ground)
    one(driver, "#theme").click()
    dark = driver.execute_script(ground)
    assert light != dark
    driver = visit("docs/reference/stream.html")
    assert driver.execute_script(ground) == dark
    driver.execute_script("localStorage.clear()")


def test_a_reader_chooses_against_the_system(visit: Callable[..., Chrome]) -> None:
    """Lists and fields of the browser are light, too, where the page is; no mouse, no hiding."""
    driver = visit("index.html")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}, {"name": "hover", "value": "none"}]
    try:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
        driver = visit("docs/use/export.html")
        scheme = "return getComputedStyle(document.documentElement).colorScheme"
        assert driver.execute_script(scheme) == "dark"
        one(driver, "#theme").click()
        assert driver.execute_script(scheme) == "light"
        assert one(driver, ".block .copy").value_of_css_property("opacity") == "1"
    finally:
        driver.execute_script("localStorage.clear()")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_phone(visit: Callable[..., Chrome]) -> None:
    """The list of pages is closed at first, and every entry of the menu can be reached."""
    driver = visit("docs/engines/keccak-serial.html", PHONE)
    assert one(driver, "details.shelf").get_attribute("open") is None
    for link in driver.find_elements(By.CSS_SELECTOR, "header nav a"):
        assert link.rect["x"] + link.rect["width"] <= PHONE[0]
    driver = visit("results.html", PHONE)
    until(driver, lambda d: count(d, len(of("sha3-256"))))
    names = [head.text for head in driver.find_elements(By.CSS_SELECTOR, ".tabulator-col-title")]
    assert "Gb/s" in names and "Variant" not in names
