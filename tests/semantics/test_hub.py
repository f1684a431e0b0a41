"""Nothing is downloaded without being asked for; what is asked for comes whole or not at all."""

import http.server
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from annotator.errors import Stopped, UserError
from annotator.semantics.hub import fetch
from annotator.semantics.models import models_folder, open_model
from annotator.watch import Watch
from tests.semantics.tiny_models import tiny


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_args: object) -> None:
        """Stay silent."""


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Serve a folder as the hub does; yield the folder of one model's files."""
    files = tmp_path / "served" / "someone" / "tiny" / "resolve" / "main"
    tiny(files)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "served"))
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield files
    server.shutdown()
    thread.join()
    server.server_close()


def test_without_agreement_the_network_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(UserError, match="annotator model export someone/tiny --download"):
        fetch("someone/tiny", agreed=False)


def test_an_agreed_model_arrives_ready_for_use(hub: Path) -> None:
    told: list[str] = []
    folder = fetch("someone/tiny", agreed=True, watch=Watch(on_progress=lambda *step: told.append(step[2])))
    assert folder == models_folder() / "tiny"
    assert open_model(folder).name == "tiny"
    assert told == [f"Downloading {name}" for name in ("config.json", "tokenizer.json", "model.safetensors")]


def test_a_model_without_weights_is_named_and_leaves_nothing(hub: Path) -> None:
    (hub / "model.safetensors").unlink()
    with pytest.raises(UserError, match=r"no model.safetensors of someone/tiny.*404"):
        fetch("someone/tiny", agreed=True)
    assert not models_folder().exists()


def test_cancel_leaves_nothing(hub: Path) -> None:
    with pytest.raises(Stopped):
        fetch("someone/tiny", agreed=True, watch=Watch(should_stop=lambda: True))
    assert not models_folder().exists()


def test_being_offline_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{free.getsockname()[1]}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with pytest.raises(UserError, match="cannot be reached"):
            fetch("someone/tiny", agreed=True)


@pytest.mark.parametrize("wrong", ["tiny", "a/b/c", "../x", "a b/c", "https://x.org/a"])
def test_what_is_no_hub_id_is_refused(wrong: str) -> None:
    with pytest.raises(UserError, match="owner/name"):
        fetch(wrong, agreed=True)
