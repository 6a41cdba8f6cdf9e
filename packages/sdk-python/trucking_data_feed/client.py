"""The calls of the API."""

from __future__ import annotations

import re
import urllib.parse
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union, cast

from . import types
from .carriers import CarrierCalls
from .connection import USER_AGENT, Answer, Connection, Filters
from .endpoints import Webhooks
from .errors import TruckingDataFeedError, VersionEndedError
from .events import follow_events
from .export import FeedExport
from .keys import Keys
from .paged_list import PagedList, by_cursor
from .sync import SyncResult, sync_feed
from .types import FeedCalls
from .watchlists import Watchlists


def _checked(api_key: str) -> str:
    """The key, without the line break of a file. The error that http.client has for another one would show the key."""
    key = api_key.strip()
    if re.search("[^!-~]", key):
        raise ValueError("api_key is no key. Give TruckingDataFeed a key of your account.")
    return key


def _address(base_url: str) -> str:
    """The service's address without the line break of a file and a slash at its end. With /v1 in it every call would be not_found, as a carrier may be."""
    address = base_url.strip()
    parts = urllib.parse.urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r"\s", address):
        raise ValueError(f"base_url is no address: {base_url}. Give TruckingDataFeed one like https://api.example.com.")
    if re.search("/v1/?$", parts.path):
        raise ValueError(f"Leave /v1 out of base_url: {base_url}.")
    return address.rstrip("/")


class TruckingDataFeed(FeedCalls, CarrierCalls):
    """The service, with one key. Calls that fail raise TruckingDataFeedError.

    `on_answer` is called with each successful answer's cost, quota, rate and request id, `on_retry` before each wait for
    a retry. Filters are a mapping, for example `{"state": ["TX"], "trucks_max": 5}`.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        user_agent: str = "",
        timeout_seconds: float = 30,
        max_retries: int = 3,
        max_retry_wait_seconds: float = 120,
        on_answer: Callable[[Answer], None] = lambda answer: None,
        on_retry: Callable[[TruckingDataFeedError, float], None] = lambda error, wait: None,
    ) -> None:
        self._connection = Connection(
            api_key=_checked(api_key),
            base_url=_address(base_url),
            user_agent=f"{user_agent} {USER_AGENT}".strip(),
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            max_retry_wait_seconds=max_retry_wait_seconds,
            on_answer=on_answer,
            on_retry=on_retry,
        )
        self.webhooks = Webhooks(self._connection)
        self.watchlists = Watchlists(self._connection)
        self.keys = Keys(self._connection)

    def feeds(self) -> List[types.FeedOut]:
        """The feeds of the plan, with freshness, columns and filters."""
        return cast(List[types.FeedOut], self._get("feeds")["data"])

    def sources(self) -> List[types.SourceOut]:
        """The registry's files that feeds come from, with the day of each."""
        return cast(List[types.SourceOut], self._get("sources")["data"])

    def count(self, feed: types.FeedCode, filters: Filters = None, *, by: Optional[str] = None) -> types.RecordCountOut:
        """How many records match, `by` the values of a column too, and what it would cost to read them. Free."""
        return cast(types.RecordCountOut, self._get(f"feeds/{feed}/count", {**(filters or {}), "by": by}))

    def open_export(self, feed: types.FeedCode, filters: Filters = None, *, format: str = "csv") -> FeedExport:
        """The same records as one file: `csv`, `ndjson` or `parquet`. A download that breaks goes on where it ended."""
        return FeedExport(self._connection, f"feeds/{feed}/export.{format}", filters or {})

    def versions(self, feed: types.FeedCode) -> PagedList[types.FeedVersionsOut, types.FeedVersionOut]:
        """The versions of a feed, newest first, with what changed in each. Free."""
        return by_cursor(lambda at: self._get(f"feeds/{feed}/versions", {"limit": 1000, **at}))

    def changes(
        self,
        feed: types.FeedCode,
        since_version: int,
        filters: Filters = None,
        *,
        cursor: Optional[str] = None,
        page_size: int = 1000,
    ) -> PagedList[types.FeedChangesOut, types.FeedChangeOut]:
        """What to do to a copy of a version so that it equals a later one. `sync_feed` does all of it."""

        def read(at: Mapping[str, Any]) -> Any:
            start = at or {"since_version": since_version}
            return self._get(f"feeds/{feed}/changes", {**(filters or {}), "limit": page_size, **start})

        return by_cursor(read, cursor)

    def sync_feed(self, folder: str, feed: types.FeedCode, filters: Filters = None) -> SyncResult:
        """Brings a copy of the feed in `folder` up to date: changes since the last run, or all records at first.

        The file changes in one step after the copy was compared with the service's checkpoint. A run that was killed
        loses nothing and pays for no page of changes twice. All records come as an export, which may begin again without
        further cost, or by pages if the key has no scope `export:read`. One run at a time may use a folder. A copy takes no
        `fields`, `since` or `version`.
        """
        return sync_feed(self._connection, folder, feed, dict(filters or {}))

    def events(
        self,
        *,
        type: Optional[Sequence[types.EventType]] = None,
        state: Optional[Sequence[str]] = None,
        usdot: Optional[Sequence[str]] = None,
        watchlist: Optional[int] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        page_size: int = 100,
    ) -> PagedList[types.EventsOut, types.EventOut]:
        """Changes of operating authority, oldest first. Store `meta.resume_cursor` of a page to go on behind it."""
        query = {
            "type": type,
            "state": state,
            "usdot": usdot,
            "watchlist": watchlist,
            "since": since,
            "limit": page_size,
        }
        return by_cursor(lambda at: self._get("events", {**query, **at}), cursor)

    def follow_events(
        self,
        *,
        type: Optional[Sequence[types.EventType]] = None,
        state: Optional[Sequence[str]] = None,
        usdot: Optional[Sequence[str]] = None,
        watchlist: Optional[int] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        page_size: int = 100,
        poll_seconds: float = 60,
    ) -> Iterator[types.EventsOut]:
        """Pages of events, with no end: asks again after `poll_seconds` when nothing is new."""
        query = {
            "type": type,
            "state": state,
            "usdot": usdot,
            "watchlist": watchlist,
            "since": since,
            "limit": page_size,
        }
        return follow_events(self._connection, query, cursor, poll_seconds)

    def corrections(
        self,
        *,
        type: Optional[Sequence[types.EventType]] = None,
        state: Optional[Sequence[str]] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        page_size: int = 100,
    ) -> PagedList[types.CorrectionsOut, types.CorrectionOut]:
        """What events told wrongly, oldest first: `changed` or `withdrawn`, with the event as it is now. Free.

        Store `meta.resume_cursor` of a page to go on behind it.
        """
        query = {"type": type, "state": state, "since": since, "limit": page_size}
        return by_cursor(lambda at: self._get("events/corrections", {**query, **at}), cursor)

    def event(self, event_id: Union[str, int]) -> types.EventOut:
        """One event by its id, also as deliveries name it (`evt_…`). `not_found` when you may not see it."""
        number = str(event_id)
        number = number[len("evt_") :] if number.startswith("evt_") else number
        return cast(types.EventOut, self._get(f"events/{urllib.parse.quote(number, safe='')}"))

    def create_test_event(self, event: types.TestEventIn) -> types.EventOut:
        """Makes an event that only you see, with a test key: it is sent to your test endpoints within seconds."""
        return cast(types.EventOut, self._connection.ask("POST", "test/events", body=event, is_creating=True))

    def carrier_changes(
        self,
        *,
        watchlist: Optional[int] = None,
        usdot: Optional[Sequence[str]] = None,
        category: Optional[Sequence[str]] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        page_size: int = 100,
    ) -> PagedList[types.CarrierChangesOut, types.CarrierChangeOut]:
        """What changed at the carriers on your watchlists, oldest first, with the values before and after. Free.

        Store `meta.resume_cursor` of a page to go on behind it.
        """
        query = {"watchlist": watchlist, "usdot": usdot, "category": category, "since": since, "limit": page_size}
        return by_cursor(lambda at: self._get("carrier-changes", {**query, **at}), cursor)

    def usage(self) -> types.UsageOut:
        """This month's counters and limits."""
        return cast(types.UsageOut, self._get("usage"))

    def request_removal(self, request: types.OptOutIn) -> types.OptOutOut:
        """Asks for a business to be removed from everything the service returns. Needs no key."""
        return cast(types.OptOutOut, self._connection.ask("POST", "opt-out", body=request))

    def _get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._connection.ask("GET", path, query)

    def _records(self, feed: str, filters: Filters, page_size: int) -> PagedList[Any, Any]:
        def pages() -> Iterator[Any]:
            number = 1
            pinned: Dict[str, Any] = {}
            while True:
                query = {**(filters or {}), **pinned, "page": number, "page_size": page_size}
                try:
                    page = self._get(f"feeds/{feed}/records", query)
                except TruckingDataFeedError as error:
                    # The filters were accepted on the first page, so what is refused later can only be the version.
                    if pinned and error.code == "invalid_filter":
                        raise VersionEndedError(feed, pinned["version"], error) from error
                    raise
                yield page
                if not page["has_more"]:
                    return
                number, pinned = number + 1, {"version": page["meta"]["version"]}

        return PagedList(pages)
