"""Which carrier an address names."""

from pathlib import Path

from annotator.carriers.carrier import Carrier
from annotator.carriers.folder import Folder


def carrier(address: str, begin: bool = False) -> Carrier:
    """Return the carrier that an address names, made ready for a first project where it may `begin`.

    Raises CarrierError when it cannot be reached, or holds something else.
    """
    return Folder.begun(Path(address)) if begin else Folder(Path(address))
