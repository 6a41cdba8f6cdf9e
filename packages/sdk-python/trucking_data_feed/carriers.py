"""Carriers by their numbers and names."""

from __future__ import annotations

import urllib.parse
from typing import Any, Mapping, Optional, Sequence, Union, cast

from . import types
from .connection import Connection
from .paged_list import PagedList, by_cursor


def _path_of(usdot: Union[str, int]) -> str:
    return f"carriers/{urllib.parse.quote(str(usdot), safe='')}"


class CarrierCalls:
    """The calls about one carrier, or some."""

    _connection: Connection

    def carrier(self, usdot: Union[str, int]) -> types.CarrierOut:
        """One carrier by its USDOT number. The error code is `not_found` when it is in none of your feeds."""
        return cast(types.CarrierOut, self._connection.ask("GET", _path_of(usdot)))

    def carriers(self, *, usdots: Sequence[str] = (), dockets: Sequence[str] = ()) -> types.CarrierLookupsOut:
        """What up to 1,000 USDOT and docket numbers stand for, in the order asked. One row for each carrier found."""
        for name, numbers in (("usdots", usdots), ("dockets", dockets)):
            # A text is a sequence of its characters: each would be looked up.
            if isinstance(numbers, str):
                raise TypeError(f"{name} is a text. Give carriers a list of numbers.")
        body = {"usdots": list(usdots), "dockets": list(dockets)}
        return cast(types.CarrierLookupsOut, self._connection.ask("POST", "carriers/lookup", body=body))

    def timeline(
        self, usdot: Union[str, int], *, category: Optional[str] = None, since: Optional[str] = None, page_size: int = 500
    ) -> PagedList[types.TimelineOut, types.TimelineEntryOut]:
        """What happened to a carrier, newest first. One row a page."""
        path = f"{_path_of(usdot)}/timeline"
        query = {"category": category, "since": since, "limit": page_size}
        return by_cursor(lambda at: self._connection.ask("GET", path, {**query, **at}))

    def connections(
        self,
        usdot: Union[str, int],
        *,
        link: Optional[Sequence[types.ConnectionKind]] = None,
        state: Optional[str] = None,
        page_size: int = 50,
    ) -> PagedList[types.ConnectionsOut, types.ConnectionOut]:
        """Businesses that have a docket, a phone, an address and more in common with a carrier. Each costs a row, once a month."""
        # The service takes 0 for the summary alone: the list would end without an entry.
        if page_size == 0:
            raise ValueError("page_size is at least 1. For the summary alone call connection_summary.")
        path = f"{_path_of(usdot)}/connections"
        query = {"link": link, "state": state, "limit": page_size}
        return by_cursor(lambda at: self._connection.ask("GET", path, {**query, **at}))

    def connection_summary(self, usdot: Union[str, int]) -> types.ConnectionsOut:
        """How many businesses are connected with a carrier, and by what. Free."""
        path = f"{_path_of(usdot)}/connections"
        return cast(types.ConnectionsOut, self._connection.ask("GET", path, {"limit": 0}))

    def search_carriers(
        self,
        *,
        name: Optional[str] = None,
        docket: Optional[str] = None,
        state: Optional[str] = None,
        limit: int = 10,
    ) -> types.CarriersOut:
        """Carriers of your feeds with a name like this one, best first, or with a docket number. One row for each."""
        query = {"name": name, "docket": docket, "state": state, "limit": limit}
        return cast(types.CarriersOut, self._connection.ask("GET", "carriers", query))
