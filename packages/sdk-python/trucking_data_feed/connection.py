"""Sends requests: time limits, retries, errors."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Mapping, Optional, Tuple

from .errors import TruckingDataFeedError
from .opener import OPENER
from .version import VERSION

Headers = Mapping[str, str]
Filters = Optional[Mapping[str, Any]]
_FIRST_WAIT_SECONDS = 0.5


@dataclass(frozen=True)
class Answer:
    """A successful request, and what its answer's headers say: cost, quota of the month, rate of the minute."""

    method: str
    path: str
    status: int
    request_id: Optional[str]
    cost: Optional[int]
    quota_limit: Optional[int]
    quota_remaining: Optional[int]
    rate_limit: Optional[int]
    rate_remaining: Optional[int]
    headers: Headers


@dataclass(frozen=True)
class Connection:
    """Where and how calls are made."""

    # Reports of errors often show the variables, and so would show the key.
    api_key: str = field(repr=False)
    base_url: str
    user_agent: str
    timeout_seconds: float
    max_retries: int
    max_retry_wait_seconds: float
    on_answer: Callable[[Answer], None]
    on_retry: Callable[[TruckingDataFeedError, float], None]
    sleep: Callable[[float], None] = time.sleep

    def ask(
        self,
        method: str,
        path: str,
        query: Filters = None,
        body: Any = None,
        *,
        is_creating: bool = False,
        is_repeatable: bool = True,
    ) -> Any:
        """The body of an answer, as data; None where there is none. Asks again after temporary errors.

        A creating call sends one Idempotency-Key with all its attempts, so that it is done once. A call that is not
        repeatable is repeated only after a 429.
        """
        headers = {"Accept-Encoding": "gzip"}
        if is_creating:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        return self._retried(lambda: _data_of(self._attempt(method, path, query, body, headers)), is_repeatable)

    def open(
        self,
        method: str,
        path: str,
        query: Filters = None,
        body: Any = None,
        headers: Optional[Headers] = None,
    ) -> Any:
        """An answer whose body is still to be read. Asks again after temporary errors."""
        return self._retried(lambda: self._attempt(method, path, query, body, headers or {}))

    def _retried(self, attempt: Callable[[], Any], is_repeatable: bool = True) -> Any:
        retries = 0
        while True:
            try:
                return attempt()
            except TruckingDataFeedError as error:
                if not is_repeatable and error.status != 429:
                    raise
                self.wait_to_retry(error, retries)
                retries += 1

    def wait_to_retry(self, error: TruckingDataFeedError, retries: int) -> None:
        """Waits before the next attempt. Raises the error itself when there is to be none."""
        wait = error.retry_after_seconds
        if not error.is_temporary or retries >= self.max_retries or (wait or 0) > self.max_retry_wait_seconds:
            raise error
        if wait is None:
            # A random part, so that clients that failed together do not come back together.
            wait = min(_FIRST_WAIT_SECONDS * 2**retries * random.uniform(0.5, 1), self.max_retry_wait_seconds)
        self.on_retry(error, wait)
        self.sleep(wait)

    def _attempt(self, method: str, path: str, query: Optional[Mapping[str, Any]], body: Any, headers: Headers) -> Any:
        # What no address can have, such as a blank: it would look like a connection that failed.
        url = f"{self.base_url}/v1/{urllib.parse.quote(path, safe='/%')}"
        if query:
            url += "?" + urllib.parse.urlencode({name: _text(value) for name, value in query.items() if value is not None})
        request = urllib.request.Request(url, method=method)
        for name, value in {**headers, "X-API-Key": self.api_key, "User-Agent": self.user_agent}.items():
            request.add_header(name, value)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            response = OPENER.open(request, timeout=self.timeout_seconds)
        except urllib.error.HTTPError as error:
            raise _error_of(error, url) from None
        except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, socket.timeout):
                detail = f"The service did not answer within {self.timeout_seconds} s."
                raise TruckingDataFeedError("timeout", detail) from error
            raise TruckingDataFeedError("connection_failed", f"The service cannot be reached: {reason}.") from error
        self.on_answer(_answer_of(method, f"/v1/{path}", response))
        return response


USER_AGENT = f"trucking-data-feed-python/{VERSION}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ",".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else str(value)


def _data_of(response: Any) -> Any:
    with response:
        content = _content_of(response)
    if response.status == 204:
        return None
    try:
        data = json.loads(content)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise foreign(response.geturl(), status=response.status, request_id=response.headers.get("X-Request-Id"))
    return data


def _content_of(response: Any) -> bytes:
    try:
        content: bytes = response.read()
        return gzip.decompress(content) if response.headers.get("Content-Encoding") == "gzip" else content
    except (OSError, EOFError, zlib.error, http.client.HTTPException) as error:
        request_id = response.headers.get("X-Request-Id")
        raise TruckingDataFeedError("connection_failed", f"The answer broke off: {error}.", request_id=request_id) from error


def foreign(url: str, **facts: Any) -> TruckingDataFeedError:
    """The error of an answer that is not the service's."""
    detail = f"{url} did not answer as the service does. Check base_url, and the proxies on the way."
    return TruckingDataFeedError("unexpected_answer", detail, **facts)


def _answer_of(method: str, path: str, response: Any) -> Answer:
    headers = response.headers

    def number(name: str) -> Optional[int]:
        value = headers.get(name)
        return int(value) if value and value.isdigit() else None

    return Answer(
        method=method,
        path=path,
        status=response.status,
        request_id=headers.get("X-Request-Id"),
        cost=number("X-Quota-Cost"),
        quota_limit=number("X-Quota-Limit"),
        quota_remaining=number("X-Quota-Remaining"),
        rate_limit=number("X-RateLimit-Limit"),
        rate_remaining=number("X-RateLimit-Remaining"),
        headers=dict(headers.items()),
    )


def _error_of(error: urllib.error.HTTPError, url: str) -> TruckingDataFeedError:
    facts: Any = {
        "status": error.code,
        "request_id": error.headers.get("X-Request-Id"),
        "retry_after_seconds": _retry_after(error.headers.get("Retry-After")),
    }
    if error.code == 304:
        return TruckingDataFeedError("not_modified", "Nothing has changed.", **facts)
    code, detail, faults = _problem_in(error)
    if faults:
        return TruckingDataFeedError("invalid_request", detail, faults=faults, **facts)
    if code is None:
        where = error.headers.get("Location")
        if not where:
            return foreign(url, **facts)
        detail = f"{url} redirects to {where}. Set base_url to the address that answers."
        return TruckingDataFeedError("unexpected_answer", detail, **facts)
    return TruckingDataFeedError(code, detail, **facts)


def _problem_in(error: urllib.error.HTTPError) -> Tuple[Optional[str], str, Any]:
    try:
        body = json.loads(_content_of(error))
        detail = body["detail"]
        if isinstance(detail, list):
            parts = (f"{'.'.join(map(str, fault['loc']))} {fault['msg']}" for fault in detail)
            return None, "; ".join(parts) + ".", detail
        return body["code"], detail, ()
    except (ValueError, KeyError, TypeError):
        return None, "", ()


def _retry_after(value: Optional[str]) -> Optional[float]:
    if value is None:
        return None
    try:
        return float(value) if value.isdigit() else max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
