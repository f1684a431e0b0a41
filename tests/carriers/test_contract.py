"""What every carrier must do, whatever it is."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.carriers import addresses
from annotator.carriers.carrier import LIMIT, SHELVES, Carrier, CarrierError, Shelf, TakenError


def test_what_is_appended_is_listed_and_read_on_its_own_shelf(carrier: Carrier) -> None:
    carrier.append("segments", "a.1", b"one")
    carrier.append("contents", "a.1", b"another")
    assert carrier.names("segments").keys() == {"a.1"}
    assert [carrier.read(shelf, "a.1") for shelf in SHELVES] == [b"one", b"another"]
    assert carrier.read("segments", "a.2") is None


def test_a_name_is_never_given_other_bytes(carrier: Carrier) -> None:
    carrier.append("segments", "a", b"one")
    carrier.append("segments", "a", b"one")
    with pytest.raises(TakenError):
        carrier.append("segments", "a", b"two")
    assert carrier.read("segments", "a") == b"one"


def test_another_who_opens_the_address_sees_it_and_may_write(carrier: Carrier) -> None:
    carrier.append("segments", "a", b"one")
    other = addresses.carrier(carrier.address)
    other.append("segments", "b", b"two")
    assert other.names("segments").keys() == carrier.names("segments").keys() == {"a", "b"}
    assert other.names("segments")["a"] == carrier.names("segments")["a"]
    other.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(data=st.binary(max_size=5_000), shelf=st.sampled_from(SHELVES))
def test_bytes_come_back_as_they_went(carrier: Carrier, data: bytes, shelf: Shelf) -> None:
    name = f"{len(carrier.names(shelf)):x}.{'f' * 64}.jsonl.gz"
    carrier.append(shelf, name, data)
    assert carrier.read(shelf, name) == data


def test_of_several_who_write_one_name_at_once_one_has_it_whole(carrier: Carrier) -> None:
    outcomes: list[str] = []

    def write(text: bytes) -> None:
        one = addresses.carrier(carrier.address)
        try:
            one.append("segments", "a", text * 10_000)
            outcomes.append("written")
        except TakenError:
            outcomes.append("taken")
        one.close()

    writers = [threading.Thread(target=write, args=(text,)) for text in (b"a", b"b", b"c", b"d")]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert sorted(outcomes) == ["taken", "taken", "taken", "written"]
    data = carrier.read("segments", "a")
    assert data is not None
    assert data == data[:1] * 10_000


def test_nothing_larger_than_the_limit_is_read(carrier: Carrier, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LIMIT >= 10_000_000
    carrier.append("segments", "a", bytes(2_000))
    for kind in ("folder", "postgres"):
        monkeypatch.setattr(f"annotator.carriers.{kind}.LIMIT", 1_999)
    with pytest.raises(CarrierError):
        carrier.read("segments", "a")


def test_a_place_that_does_not_answer_is_said(new_place: object) -> None:
    assert callable(new_place)
    nowhere = addresses.carrier(new_place())
    for ask in (lambda: nowhere.names("segments"), lambda: nowhere.append("segments", "a", b"")):
        with pytest.raises(CarrierError, match=r"no folder|no tables"):
            ask()
