"""The files of a copy.

`<feed>.ndjson` is the copy: a line about it, then a record a line. It only changes as a whole. `<feed>.changes` has the
pages of changes that were read and are not in it yet, so that a crash costs no page twice.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Copy:
    """A copy in memory, with what it is of."""

    feed: str
    filters: Dict[str, Any]
    version: int
    as_of: str
    removals: Optional[int]
    records: Dict[str, Any]


def read_copy(file: str) -> Optional[Copy]:
    """The copy in the file; None when there is none, or the file is empty. ValueError for one that is damaged, or no copy."""
    number = 0
    records: Dict[str, Any] = {}
    found: Optional[Copy] = None
    try:
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if found is None:
                    found = Copy(**json.loads(line), records=records)
                else:
                    record = json.loads(line)
                    records[record["record_id"]] = record
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"Line {number} of {file} is not as sync_feed writes it. Move the file away: the next run reads the feed anew."
        ) from error
    return found


def write_copy(file: str, copy: Copy) -> None:
    """Puts the copy in the place of the one before, in one step."""
    facts = {name: value for name, value in vars(copy).items() if name != "records"}
    with open(f"{file}.part", "w", encoding="utf-8") as output:
        for line in (facts, *copy.records.values()):
            output.write(json.dumps(line, ensure_ascii=False) + "\n")
        output.flush()
        os.fsync(output.fileno())
    os.replace(f"{file}.part", file)


class PageStore:
    """The pages of changes on the way to the next version of a copy."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.pages: List[Any] = []

    def begin(self, copy: Copy) -> bool:
        """Takes up the pages that an earlier run read from this copy on. Whether there are any."""
        since = {"since": copy.version, "removals": copy.removals, "filters": copy.filters}
        head = json.dumps(since, separators=(",", ":"))
        try:
            # A crash may have cut the last line, and a character of it.
            with open(self._file, encoding="utf-8", errors="replace") as stored:
                lines = stored.read().split("\n")[:-1]
        except FileNotFoundError:
            lines = []
        if lines[:1] != [head]:
            lines = [head]
        with open(self._file, "w", encoding="utf-8") as output:
            output.write("".join(line + "\n" for line in lines))
        self.pages = [json.loads(line) for line in lines[1:]]
        return bool(self.pages)

    def add(self, page: Any) -> None:
        """Adds a page. It is on the disk when this returns."""
        with open(self._file, "a", encoding="utf-8") as output:
            output.write(json.dumps(page, ensure_ascii=False) + "\n")
            output.flush()
            os.fsync(output.fileno())
        self.pages.append(page)

    def forget(self) -> None:
        """Deletes the pages."""
        self.pages = []
        if os.path.exists(self._file):
            os.remove(self._file)
