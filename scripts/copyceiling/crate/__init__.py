"""A study as a Provenance Run RO-Crate: one zip that says what is in it and how it came to be.

Source: RO-Crate 1.1 and the Workflow Run profiles 0.5, https://w3id.org/ro/wfrun.
"""

from copyceiling.crate.build import build_crate

__all__ = ["build_crate"]
