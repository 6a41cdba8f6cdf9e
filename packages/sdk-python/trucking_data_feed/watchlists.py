"""Lists of carriers whose changes you follow."""

from __future__ import annotations

from typing import Any, Mapping, Optional, cast

from . import types
from .connection import Connection
from .paged_list import PagedList, by_cursor


class Watchlists:
    """The account's watchlists. Numbers are `{"usdots": [...], "dockets": [...]}`, at most 10,000 a call."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> types.WatchlistsOut:
        """The lists, oldest first, and how many carriers the account watches."""
        return cast(types.WatchlistsOut, self._ask("GET", "watchlists"))

    def create(self, watchlist: types.WatchlistIn) -> types.WatchlistOut:
        """Creates an empty list."""
        return cast(types.WatchlistOut, self._create("watchlists", watchlist))

    def read(self, watchlist_id: int) -> types.WatchlistOut:
        """One list."""
        return cast(types.WatchlistOut, self._ask("GET", f"watchlists/{watchlist_id}"))

    def update(self, watchlist_id: int, change: types.WatchlistChange) -> types.WatchlistOut:
        """Changes its name or note."""
        return cast(types.WatchlistOut, self._ask("PATCH", f"watchlists/{watchlist_id}", body=change))

    def delete(self, watchlist_id: int) -> None:
        """Deletes a list. This can't be undone."""
        # Repeated after an answer that was lost, it would fail with not_found although it was done.
        self._connection.ask("DELETE", f"watchlists/{watchlist_id}", is_repeatable=False)

    def carriers(self, watchlist_id: int) -> PagedList[types.WatchedCarriersOut, Any]:
        """The carriers on a list, by USDOT number."""
        return by_cursor(lambda at: self._ask("GET", f"watchlists/{watchlist_id}/carriers", {"limit": 1000, **at}))

    def add(self, watchlist_id: int, numbers: types.WatchedCarriersIn) -> types.WatchedCarriersChanged:
        """Puts carriers on a list. A row a month for each carrier that none of your lists had this month."""
        return cast(types.WatchedCarriersChanged, self._create(f"watchlists/{watchlist_id}/carriers", numbers))

    def replace(self, watchlist_id: int, numbers: types.WatchedCarriersIn) -> types.WatchedCarriersChanged:
        """Makes a list these carriers."""
        path = f"watchlists/{watchlist_id}/carriers"
        return cast(types.WatchedCarriersChanged, self._create(path, numbers, "PUT"))

    def remove(self, watchlist_id: int, numbers: types.WatchedCarriersIn) -> types.WatchedCarriersChanged:
        """Takes carriers off a list."""
        return cast(types.WatchedCarriersChanged, self._create(f"watchlists/{watchlist_id}/carriers/remove", numbers))

    def _ask(self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, body: Any = None) -> Any:
        return self._connection.ask(method, path, query, body)

    def _create(self, path: str, body: Any, method: str = "POST") -> Any:
        return self._connection.ask(method, path, body=body, is_creating=True)
