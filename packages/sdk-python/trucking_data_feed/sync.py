"""Keeps a copy of a feed that equals the service's."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Tuple

from .connection import Connection
from .errors import TruckingDataFeedError
from .export import FeedExport
from .local_copy import Copy, PageStore, read_copy, write_copy
from .types import VOLATILE

_MOST_READINGS = 5
_NO_FILTERS = ("fields", "since", "version")
_NO_LONGER_TOLD = ("version_expired", "cursor_expired", "invalid_request")


@dataclass(frozen=True)
class SyncResult:
    """What the copy is of now, how many records it has, and where it is."""

    feed: str
    version: int
    as_of: str
    rows: int
    file: str


def sync_feed(connection: Connection, folder: str, feed: str, filters: Dict[str, Any]) -> SyncResult:
    """Brings the copy in the folder up to date: see `TruckingDataFeed.sync_feed`."""
    # Before anything is read and paid for.
    filters = _plain(filters)
    refused = next((name for name in _NO_FILTERS if name in filters), None)
    if refused is not None:
        about = "A copy has all columns of all records that match its filters in the newest version."
        raise ValueError(f"sync_feed takes no {refused}. {about}")
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, f"{feed}.ndjson")
    pages = PageStore(os.path.join(folder, f"{feed}.changes"))
    found = read_copy(file)
    copy = found if found is not None and _unordered(_plain(found.filters)) == _unordered(filters) else None
    while copy is not None:
        is_newest = not pages.begin(copy)
        copy = _with_changes(connection, copy, pages)
        if copy is None:
            break
        write_copy(file, copy)
        pages.forget()
        # Pages that an earlier run began with end at the version that was the newest then.
        if is_newest:
            return _result(copy, file)
    copy = _whole(connection, feed, filters)
    write_copy(file, copy)
    pages.forget()
    return _result(copy, file)


def _plain(filters: Mapping[str, Any]) -> Dict[str, Any]:
    """The filters that are given, as they are sent and as JSON has them, so that the next run knows them again."""
    return {name: _plain_value(value) for name, value in filters.items() if value is not None}


def _unordered(filters: Dict[str, Any]) -> Dict[str, Any]:
    """The same for filters that the service takes as the same: a list's values have no order."""
    return {name: sorted(value, key=str) if isinstance(value, list) else value for name, value in filters.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(map(_plain_value, value), key=str)
    if isinstance(value, (list, tuple)):
        return [_plain_value(one) for one in value]
    return value if isinstance(value, (str, int, float)) else str(value)


def _with_changes(connection: Connection, copy: Copy, pages: PageStore) -> Optional[Copy]:
    """The copy after the changes since its version; None when they can't be told, or did not lead to the version."""
    has_earlier = bool(pages.pages)
    try:
        while not pages.pages or pages.pages[-1]["next_cursor"] is not None:
            start = {"since_version": copy.version, "since_removals": copy.removals}
            if pages.pages:
                start = {"cursor": pages.pages[-1]["next_cursor"]}
            pages.add(connection.ask("GET", f"feeds/{copy.feed}/changes", {**copy.filters, "limit": 1000, **start}))
    except TruckingDataFeedError as error:
        if error.code not in _NO_LONGER_TOLD:
            raise
        pages.forget()
        pages.begin(copy)
        # Pages that an earlier run began with may end while this one could still begin anew.
        return _with_changes(connection, copy, pages) if has_earlier else None
    records = dict(copy.records)
    for change in (change for page in pages.pages for change in page["data"]):
        if "record" in change:
            records[change["record_id"]] = change["record"]
        else:
            records.pop(change["record_id"], None)
    end = pages.pages[-1]
    meta, checkpoint = end["meta"], end["meta"]["checkpoint"]
    later = replace(
        copy,
        version=meta["to_version"],
        as_of=end["as_of"],
        removals=checkpoint and checkpoint["removals"],
        records={key: _refreshed(record, end["as_of"], meta["verified_on"]) for key, record in records.items()},
    )
    return later if _agrees(connection, later, checkpoint) else None


def _whole(connection: Connection, feed: str, filters: Dict[str, Any]) -> Copy:
    """All records of the current version."""
    for _ in range(_MOST_READINGS):
        copy, checkpoint = _read_whole(connection, feed, filters)
        if copy is not None and _agrees(connection, copy, checkpoint):
            return copy
    detail = f"{feed} changed during each of {_MOST_READINGS} readings. Try again later."
    raise TruckingDataFeedError("unexpected_answer", detail)


# The key may take no export, or none now.
_NO_EXPORT = ("insufficient_scope", "too_many_exports")


def _read_whole(connection: Connection, feed: str, filters: Dict[str, Any]) -> Tuple[Optional[Copy], Any]:
    """All records, from an export: its rows cost nothing more when it is taken again. By pages, which do, without one.

    No copy when something changed meanwhile.
    """
    try:
        export = FeedExport(connection, f"feeds/{feed}/export.ndjson", filters)
    except TruckingDataFeedError as error:
        if error.code not in _NO_EXPORT:
            raise
        return _read_pages(connection, feed, filters)
    if export.version is None or export.as_of is None:
        # A proxy keeps the headers back.
        export.close()
        return _read_pages(connection, feed, filters)
    try:
        records = {record["record_id"]: record for record in export.records()}
    except TruckingDataFeedError as error:
        if error.code != "export_changed":
            raise
        return None, None
    checkpoint = {"rows": export.rows, "digest": export.digest}
    return Copy(feed, filters, export.version, export.as_of, export.removals, records), checkpoint


def _read_pages(connection: Connection, feed: str, filters: Dict[str, Any]) -> Tuple[Optional[Copy], Any]:
    records: Dict[str, Any] = {}
    pinned: Dict[str, Any] = {}
    number = 1
    while True:
        query = {**filters, **pinned, "page": number, "page_size": 1000}
        try:
            page = connection.ask("GET", f"feeds/{feed}/records", query)
        except TruckingDataFeedError as error:
            # The version ended while it was read.
            if pinned and error.code == "invalid_filter":
                return None, None
            raise
        meta = page["meta"]
        checkpoint = meta.get("checkpoint")
        pinned, number = {"version": meta["version"]}, number + 1
        records.update((record["record_id"], record) for record in page["data"])
        if not page["has_more"]:
            removals = checkpoint and checkpoint["removals"]
            return Copy(feed, filters, meta["version"], page["as_of"], removals, records), checkpoint


def _agrees(connection: Connection, copy: Copy, checkpoint: Any) -> bool:
    """Whether the copy's records are those of the checkpoint."""
    if checkpoint is None:
        return True
    if checkpoint["rows"] != len(copy.records):
        return False
    feeds = connection.ask("GET", "feeds")["data"]
    columns = next(each["columns"] for each in feeds if each["code"] == copy.feed)
    fixed = [column for column in columns if column not in VOLATILE]
    return bool(digest_of(copy.records.values(), fixed) == checkpoint["digest"])


def _refreshed(record: Any, as_of: str, verified_on: Mapping[str, str]) -> Any:
    """The record with the columns that follow from it and from the days of its version."""
    values: Dict[str, Any] = {}
    for column, rule in VOLATILE.items():
        if column not in record:
            continue
        if "verified_on" in rule:
            values[column] = verified_on[record[rule["verified_on"]]]
        else:
            since = record[rule["days_since"]]
            values[column] = None if since is None else (_day(as_of) - _day(since)).days
    return {**record, **values}


_day = datetime.date.fromisoformat


def digest_of(records: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """The digest of a checkpoint: the sum of the records' hashes, whatever their order."""
    total = 0
    for record in records:
        text = "\x1f".join(_text(record.get(column)) for column in columns)
        total += int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return f"{total % 2**64:016x}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ";".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _result(copy: Copy, file: str) -> SyncResult:
    return SyncResult(copy.feed, copy.version, copy.as_of, len(copy.records), file)
