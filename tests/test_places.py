from pathlib import Path

import pytest

from annotator.places import place


def test_the_samples_of_a_checkout_stand_beside_the_package() -> None:
    assert place("sample_projects") == Path(__file__).parents[1] / "sample_projects"


def test_a_missing_folder_says_that_the_installation_is_broken() -> None:
    with pytest.raises(FileNotFoundError, match="install Annotator again"):
        place("no such folder")
