"""The window works together through every kind of carrier."""

from tests.carriers.conftest import new_place, server

__all__ = ["new_place", "server"]
