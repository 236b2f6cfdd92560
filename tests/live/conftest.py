"""Fixtures of the live client's tests."""

from collections.abc import Iterator

import pytest

from tests.live.hostile_provider import HostileProvider


@pytest.fixture
def provider() -> Iterator[HostileProvider]:
    """Run a hostile provider on loopback."""
    with HostileProvider() as server:
        yield server


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the dozens of warnings that LiteLLM's own declarations cause on import."""
    config.addinivalue_line("filterwarnings", "ignore:.*`ReadOnly` qualifier:UserWarning")
