"""What a crash, a full disk and a power cut leave is tried with commits that wait for the disk."""

import pytest


@pytest.fixture(autouse=True)
def _on_disk(on_disk: None) -> None:
    pass
