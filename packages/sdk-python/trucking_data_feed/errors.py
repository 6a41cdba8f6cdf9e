"""Why a call failed."""

from __future__ import annotations

from typing import Any, Optional, Sequence


def _is_temporary(status: int) -> bool:
    """Whether the same request may succeed later. Proxies send many statuses of 500 and more."""
    return status in (408, 429) or status >= 500


class TruckingDataFeedError(Exception):
    """A call that failed. Decide by `code`; show the message to people.

    `code` is a problem code of the service, or `invalid_request` (422; `faults` says which parts), `connection_failed`,
    `timeout`, `not_modified` (304), `unexpected_answer` (something else answered, for example a proxy). Newer services may
    send other codes.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
        faults: Sequence[Any] = (),
    ) -> None:
        origin = ", ".join(str(part) for part in (code, status, request_id and f"request {request_id}") if part)
        super().__init__(f"{detail} ({origin})")
        self.code = code
        self.detail = detail
        self.status = status
        # Identifies the request in the service's log. Quote it when you ask for help.
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.faults = tuple(faults)

    @property
    def is_temporary(self) -> bool:
        """Whether the same call may succeed later. A used-up quota counts as lasting: it ends with the month."""
        if self.code == "quota_exceeded":
            return False
        if self.code in ("connection_failed", "timeout", "request_in_progress"):
            return True
        return self.status is not None and _is_temporary(self.status)


class VersionEndedError(TruckingDataFeedError):
    """The version that `records` was reading has ended. Read again from the start to get the newest one."""

    def __init__(self, feed: str, version: int, cause: TruckingDataFeedError) -> None:
        super().__init__(
            cause.code,
            f"Version {version} of {feed} ended while it was being read. Read again from the start to get the newest one.",
            status=cause.status,
            request_id=cause.request_id,
        )
        self.version = version
