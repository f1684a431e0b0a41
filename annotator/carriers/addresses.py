"""Which carrier an address names."""

from pathlib import Path

from annotator.carriers.carrier import Carrier
from annotator.carriers.folder import Folder
from annotator.carriers.postgres import SCHEMES, Postgres


def carrier(address: str, begin: bool = False) -> Carrier:
    """Return the carrier that an address names, made ready for a first project where it may `begin`.

    `postgresql://…` is a database, anything else a folder. Raises CarrierError when it cannot be reached, or
    holds something else, and MissingExtra.
    """
    if address.startswith(SCHEMES):
        return Postgres.begun(address) if begin else Postgres(address)
    return Folder.begun(Path(address)) if begin else Folder(Path(address))
