"""A real browser for the report, and the report of the smoke study."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SMOKE, built_once, snakemake

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# As root, in a container, without a screen, and without a word to anybody.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1000",
)


def _lacking(what: str) -> Any:
    """Skip by name; where a browser is demanded (continuous integration), fail."""
    if os.environ.get("COPYCEILING_BROWSER") == "required":
        pytest.fail(f"COPYCEILING_BROWSER=required, but there is no {what}")
    pytest.skip(f"no {what}: the report is not tried in a browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium; every test that uses it asks for its pages by file address."""
    binary = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        _lacking("Chromium with chromedriver (Debian: apt-get install chromium chromium-driver)")
    try:
        from selenium import webdriver
    except ImportError:
        _lacking("selenium (make env-test)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    found.command_executor.client_config.timeout = 600  # a busy machine is no fault of the page
    found.set_script_timeout(300)
    found.set_page_load_timeout(300)
    yield found
    found.quit()


@pytest.fixture(scope="session")
def report(smoke: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the smoke study, built by its target."""

    def build(folder: Path) -> None:
        folder.mkdir()
        done = snakemake("report", "--configfile", SMOKE, "--config", f"results={smoke}")
        assert done.returncode == 0, done.stderr[-3000:]
        shutil.copy(smoke / "report.html", folder)

    return built_once("report", tmp_path_factory, build) / "report.html"
