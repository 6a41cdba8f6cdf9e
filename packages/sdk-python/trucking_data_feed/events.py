"""Follows events."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional

from .connection import Connection
from .errors import TruckingDataFeedError


def follow_events(
    connection: Connection, query: Mapping[str, Any], cursor: Optional[str], poll_seconds: float
) -> Iterator[Any]:
    """Pages with events or a gap before them, for ever. Temporary errors are waited out, others are raised."""
    while True:
        wait = poll_seconds
        try:
            page = connection.ask("GET", "events", {**query, **({"cursor": cursor} if cursor else {})})
        except TruckingDataFeedError as error:
            if not error.is_temporary:
                raise
            wait = max(poll_seconds, error.retry_after_seconds or 0)
            connection.on_retry(error, wait)
        else:
            if page["data"] or page["meta"].get("has_gap"):
                yield page
            cursor = page["meta"]["resume_cursor"]
            if page["next_cursor"] is not None:
                continue
        connection.sleep(wait)
