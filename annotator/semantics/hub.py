"""Fetches a model from the Hugging Face hub, and only when the user has asked for exactly that.

Evaluating never comes here. One plain request per file, so being offline is noticed at the first one.
"""

import os
import re
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from annotator.errors import UserError
from annotator.semantics.onnx_export import export
from annotator.watch import UNWATCHED, Watch

NEEDED = ("config.json", "tokenizer.json", "model.safetensors")
OPTIONAL = ("sentence_bert_config.json", "1_Pooling/config.json")

_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_SECONDS = 10
_PIECE = 1 << 20


def fetch(
    hub_id: str,
    agreed: bool,
    target: Path | None = None,
    name: str = "",
    layer: int | None = None,
    watch: Watch = UNWATCHED,
) -> Path:
    """Download a model ("owner/name"), make its folder and return it.

    Without `agreed` nothing is asked of the network and UserError says what to do. Raises UserError when the
    hub cannot be reached or has no such file, Stopped on cancel; both leave nothing behind.
    """
    if not _ID.fullmatch(hub_id):
        raise UserError(
            f"{hub_id!r} is no folder that is there, and no model of the hub, which is written as owner/name."
        )
    if not agreed:
        raise UserError(
            f"The model {hub_id} is not on this computer, and nothing is downloaded without being asked for. "
            f"Download it with “annotator model export {hub_id} --download”."
        )
    with tempfile.TemporaryDirectory(prefix="annotator-model-") as folder:
        source = Path(folder) / hub_id.partition("/")[2]
        for file in (*NEEDED, *OPTIONAL):
            _download(hub_id, file, source / file, watch)
        return export(source, target, name, layer)


def _download(hub_id: str, name: str, path: Path, watch: Watch) -> None:
    """Download one file in pieces; an optional one may be missing."""
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    address = f"{endpoint}/{hub_id}/resolve/main/{urllib.parse.quote(name)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer, path.open("wb") as file:
            total = int(answer.headers.get("Content-Length") or 0)
            while piece := answer.read(_PIECE):
                watch.look()
                file.write(piece)
                watch.tell(file.tell(), total, f"Downloading {name}")
            if total and file.tell() != total:
                raise OSError("the connection ended early")
    except urllib.error.HTTPError as error:
        if error.code == 404 and name in OPTIONAL:
            return
        raise UserError(f"The hub has no {name} of {hub_id} for us ({error.code} {error.reason}).") from None
    except OSError as error:
        raise UserError(
            f"The hub cannot be reached ({error}). Nothing was changed; try again when you are online, or "
            "make the model from a folder with “annotator model export FOLDER”."
        ) from None
