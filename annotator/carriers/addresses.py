"""Which carrier an address names."""

import re
from pathlib import Path

from annotator.carriers.carrier import Carrier, CarrierError
from annotator.carriers.folder import Folder
from annotator.carriers.postgres import SCHEMES, Postgres

ELSEWHERE = re.compile(
    r"[a-z][a-z0-9+.-]+:/|(host|hostaddr|port|dbname|user|password|service)\s*=", re.IGNORECASE
)
"""What begins as an address of something else, or as PostgreSQL's programs take their settings."""


def carrier(address: str, begin: bool = False) -> Carrier:
    """Return the carrier that an address names, made ready for a first project where it may `begin`.

    `postgresql://…` is a database, anything else a folder. Raises CarrierError when it cannot be reached, or
    holds something else, and MissingExtra.
    """
    if address.startswith(SCHEMES):
        return Postgres.begun(address) if begin else Postgres(address)
    if ELSEWHERE.match(address):  # not repeated, for it may hold a password
        raise CarrierError(
            "This names neither a folder of this computer nor a database. A folder of a server is named as "
            "it is connected here, such as /mnt/team/search, a database as postgresql://ana@server/search. "
            "Nothing was written."
        )
    return Folder.begun(Path(address)) if begin else Folder(Path(address))
