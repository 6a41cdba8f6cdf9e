"""A whole feed as one file, over broken connections."""

from __future__ import annotations

import http.client
import json
import os
import re
from typing import Any, Iterator, Mapping, Optional

from .connection import Connection, foreign
from .errors import TruckingDataFeedError

_CHUNK_BYTES = 64 * 1024


class FeedExport:
    """A whole feed as one file, while it arrives. Read it once."""

    def __init__(self, connection: Connection, path: str, filters: Mapping[str, Any]) -> None:
        self._connection = connection
        self._path = path
        self._filters = dict(filters)
        self._response = self._open({})
        headers = self._response.headers
        name = re.search(r'filename="?([^";]+)', headers.get("Content-Disposition", ""))
        self.file_name = name[1] if name else path.replace("/", ".")
        self.licence_reference: str = headers.get("X-Licence-Reference", "")
        self.version: Optional[int] = _number(headers.get("X-Checkpoint-Version"))
        self.rows: Optional[int] = _number(headers.get("X-Row-Count"))
        self.digest: Optional[str] = headers.get("X-Checkpoint-Digest")
        self.removals: Optional[int] = _number(headers.get("X-Checkpoint-Removals"))
        self.as_of: Optional[str] = headers.get("X-As-Of")
        self.headers: Mapping[str, str] = dict(headers.items())
        self._etag: str = headers.get("ETag", "")
        self._is_read = False

    def chunks(self) -> Iterator[bytes]:
        """The file's bytes. When the connection breaks, they go on at the byte where they ended.

        When they can't, for example because a business was removed meanwhile (`export_changed`), this raises: discard
        what came until then. A loop that is left ends the download.
        """
        if self._is_read:
            raise ValueError("An export can be read once. Open it again.")
        self._is_read = True
        try:
            yield from self._resumed_chunks()
        finally:
            self.close()

    def close(self) -> None:
        """Ends the download, also one that was never read."""
        self._response.close()

    def _resumed_chunks(self) -> Iterator[bytes]:
        received, breaks = 0, 0
        while True:
            try:
                # What is there: a break loses no byte that came before it.
                chunk = self._response.read1(_CHUNK_BYTES)
                # http.client only reports a short body when all of it is asked for at once.
                if not chunk and received < (_whole_size(self._response) or 0):
                    raise http.client.IncompleteRead(b"")
            except (OSError, http.client.HTTPException) as error:
                failure = TruckingDataFeedError("connection_failed", f"The download broke off: {error}.")
                if not self._etag.startswith('"'):
                    raise failure from error
                self._connection.wait_to_retry(failure, breaks)
                breaks += 1
                if not self._is_resumed(received):
                    return
                continue
            if not chunk:
                return
            received += len(chunk)
            breaks = 0
            yield chunk

    def records(self) -> Iterator[Any]:
        """The records of an NDJSON file."""
        rest = b""
        for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from map(json.loads, lines)
        if rest:
            raise TruckingDataFeedError("unexpected_answer", "The last line of the export is not whole.")

    def save(self, folder: str = ".") -> str:
        """Writes the file into the folder under its own name, in one step. Returns its path."""
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, os.path.basename(self.file_name))
        with open(f"{path}.part", "wb") as output:
            for chunk in self.chunks():
                output.write(chunk)
            output.flush()
            os.fsync(output.fileno())
        os.replace(f"{path}.part", path)
        return path

    def _open(self, headers: Mapping[str, str], **more: Any) -> Any:
        # Ranges are of the bytes without compression.
        asked = {"Accept-Encoding": "identity", **headers}
        response = self._connection.open("GET", self._path, {**self._filters, **more}, headers=asked)
        # A page of a proxy would be saved as the feed.
        if response.headers.get_content_type() == "text/html":
            response.close()
            raise foreign(response.geturl(), status=response.status)
        return response

    def _is_resumed(self, received: int) -> bool:
        """False when all bytes had come before the connection broke."""
        # The version is kept, so that a newer one changes nothing. If-Match refuses a file that is another one now.
        headers = {"Range": f"bytes={received}-", "If-Match": self._etag}
        try:
            self._response = self._open(headers, version=self.version)
        except TruckingDataFeedError as error:
            if error.code == "range_not_satisfiable":
                return False
            raise
        if self._response.status != 206 and received > 0:
            detail = f"The download broke off after {received} bytes, and something on the way ignores Range."
            raise TruckingDataFeedError("unexpected_answer", detail, status=self._response.status)
        return True


def _whole_size(response: Any) -> Optional[int]:
    """The size of the whole file, where the answer tells it: one without compression is sent in chunks, its parts are not."""
    part = re.search(r"/(\d+)$", response.headers.get("Content-Range", ""))
    return int(part[1]) if part else _number(response.headers.get("Content-Length"))


def _number(value: Optional[str]) -> Optional[int]:
    return int(value) if value and value.isdigit() else None
