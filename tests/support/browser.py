"""A real browser without a window, for tests of the site: Debian's Chromium and its driver."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

PROGRAMS = ("chromium", "chromedriver")


@contextmanager
def browser(downloads: Path) -> Iterator[Chrome]:
    """A new browser with an empty profile; the test is skipped where there is none."""
    paths = [shutil.which(name) for name in PROGRAMS]
    if None in paths:
        pytest.skip("no chromium and chromedriver: install Debian's chromium and chromium-driver")
    options = ChromeOptions()
    options.binary_location = str(paths[0])
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(str(paths[1])))
    try:
        driver.set_page_load_timeout(60)
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, width: int, height: int) -> None:
    """Show pages as a screen of this size does; a narrow one as a phone."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
