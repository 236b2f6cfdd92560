"""What tests do with a page in the browser."""

from pathlib import Path
from typing import Any

_READY = """
const done = arguments[arguments.length - 1];
const look = () => {
  const browser = document.getElementById("evidence-browser");
  const message = document.getElementById("evidence-message");
  const counted = document.getElementById("evidence-count").textContent;
  if ((!browser.hidden && counted) || message.className === "absent") done(true);
  else setTimeout(look, 20);
};
look();
"""
_TEXT = """
const found = document.querySelector(arguments[0]).cloneNode(true);
found.querySelectorAll(".unseen, mark sup").forEach((added) => added.remove());
return found.textContent;
"""
# Go to an address and come back when the page has followed it.
GO = """
const go = (hash) => new Promise((resolve) => {
  const settle = () => setTimeout(resolve, 0);
  if (location.hash === hash) { settle(); return; }
  window.addEventListener("hashchange", settle, { once: true });
  location.hash = hash;
});
"""


def open_page(browser: Any, path: Path, address: str = "#evidence") -> None:
    """Open a page at an address; if that is one of its evidence, wait until it is unpacked."""
    browser.get("about:blank")  # else an address of the same file would not load it again
    browser.get(f"{path.as_uri()}{address}")
    if address.startswith("#evidence"):
        browser.execute_async_script(_READY)


def go(browser: Any, address: str) -> None:
    """Follow an address within the page."""
    browser.execute_async_script(
        f"{GO} go(arguments[0]).then(arguments[arguments.length - 1]);", address
    )


def text_of(browser: Any, selector: str) -> str:
    """Return an element's text, without what marks add to it for screen readers."""
    found: str = browser.execute_script(_TEXT, selector)
    return found


def complaints(browser: Any) -> list[str]:
    """Return what the page reported to the console since last asked."""
    return [entry["message"] for entry in browser.get_log("browser")]
