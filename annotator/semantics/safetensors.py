"""Reads the safetensors format: a length, a JSON table of tensors, their bytes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError

_LONGEST_TABLE = 100_000_000


def read_tensors(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Return the floating point tensors of a file as float32, by name.

    16-bit floats are widened. Raises UserError for a damaged file.
    """
    try:
        content = np.memmap(path, np.uint8, "r")
        length = int(content[:8].view("<u8")[0])
        if length > min(len(content), _LONGEST_TABLE):
            raise ValueError("its table is longer than the file")
        table: dict[str, dict[str, Any]] = json.loads(bytes(content[8 : 8 + length]))
        table.pop("__metadata__", None)
        return {
            name: _tensor(content[8 + length :], one)
            for name, one in table.items()
            if one["dtype"] in ("F32", "F16", "BF16")
        }
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}. Get the file again.") from None


def _tensor(content: NDArray[np.uint8], one: dict[str, Any]) -> NDArray[np.float32]:
    start, end = one["data_offsets"]
    raw = np.ascontiguousarray(content[start:end])
    if one["dtype"] == "BF16":
        values = (raw.view("<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        values = raw.view("<f4" if one["dtype"] == "F32" else "<f2").astype(np.float32)
    return values.reshape(one["shape"])
