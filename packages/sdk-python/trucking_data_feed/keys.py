"""The account's API keys."""

from __future__ import annotations

from typing import cast

from . import types
from .connection import Connection
from .paged_list import PagedList, by_cursor


class Keys:
    """The account's keys. The client's own key needs the scope `keys:write`, and can't give more than it has."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> PagedList[types.KeysOut, types.KeyOut]:
        """The keys, oldest first, revoked ones too."""
        return by_cursor(lambda at: self._connection.ask("GET", "keys", {"limit": 1000, **at}))

    def create(self, key: types.NewKeyIn) -> types.KeyOut:
        """Makes a key. Store `key` of the answer: no other call returns it."""
        return cast(types.KeyOut, self._connection.ask("POST", "keys", body=key, is_creating=True))

    def rotate(self, key_id: str, *, grace_seconds: int = 86400) -> types.KeyOut:
        """Gives a key a new secret, which only this answer has. The old one works for `grace_seconds`."""
        body = {"grace_seconds": grace_seconds}
        return cast(
            types.KeyOut, self._connection.ask("POST", f"keys/{key_id}/rotate", body=body, is_creating=True)
        )

    def revoke(self, key_id: str) -> None:
        """Revokes a key. This can't be undone."""
        self._connection.ask("DELETE", f"keys/{key_id}")
