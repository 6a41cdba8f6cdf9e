"""Verifies webhook deliveries, and signs them for your tests."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Optional, Sequence, Union

# A second v1, of the old secret, is there while the overlap of a rotation runs.
_SIGNATURE = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,2})")


class WebhookVerificationError(Exception):
    """A delivery that must not be handled. Answer it with 401.

    `reason` is `missing_header`, `malformed_header`, `wrong_signature`, `too_old`, `too_new` or `malformed_body`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: Union[bytes, str],
    header: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
    tolerance_seconds: float = 300,
) -> Any:
    """The event of a delivery that the service signed just now. Raises WebhookVerificationError for any other.

    `body` is the body as it arrived, before any parsing, `header` the value of `Service-Signature`. Give the new and the
    old secret while you change it. A delivery may come more than once: recognise repeats by the event's `id`.

    An endpoint with `corrections` also gets corrections: their `type` is `event_correction`, and `data["event"]` is the
    corrected event. One with `changes` also gets changes of your watched carriers: their `type` is `carrier_change`, and
    `data["change"]` is the change.
    """
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not any(secrets):
        raise TypeError("Give verify_webhook the endpoint's signing secret (whsec_…).")
    if not header:
        raise WebhookVerificationError("missing_header", "The header Service-Signature is missing.")
    match = _SIGNATURE.fullmatch(header)
    if match is None:
        message = "The header Service-Signature does not have the form t=<unix seconds>,v1=<64 hex digits>."
        raise WebhookVerificationError("malformed_header", message)
    sent_at, signatures = match.groups()
    expected = [_signature(raw, one, sent_at) for one in secrets if one]
    # Every pair is compared, so that the time tells nothing.
    pairs = [hmac.compare_digest(ours, theirs) for ours in expected for theirs in signatures.split(",v1=")[1:]]
    if not any(pairs):
        message = "The signature does not fit. Check the secret, and that the body is verified as it arrived."
        raise WebhookVerificationError("wrong_signature", message)
    age = (time.time() if now is None else now) - int(sent_at)
    if abs(age) > tolerance_seconds:
        reason, where = ("too_old", "ago") if age > 0 else ("too_new", "ahead")
        message = f"The delivery was signed {abs(age):.0f} s {where}; {tolerance_seconds:.0f} s are allowed. Check this clock."
        raise WebhookVerificationError(reason, message)
    try:
        event = json.loads(raw)
        if isinstance(event["id"], str) and isinstance(event["type"], str) and isinstance(event["data"], dict):
            return event
    except (ValueError, KeyError, TypeError):
        pass
    raise WebhookVerificationError("malformed_body", "The body is rightly signed, but no event.")


def sign_webhook(body: Union[bytes, str], secret: str, *, now: Optional[float] = None) -> str:
    """The value of `Service-Signature` for a body, to test your own receiver with."""
    sent_at = str(int(time.time() if now is None else now))
    return f"t={sent_at},v1={_signature(body.encode() if isinstance(body, str) else body, secret, sent_at)}"


def _signature(raw: bytes, secret: str, sent_at: str) -> str:
    return hmac.new(secret.encode(), sent_at.encode() + b"." + raw, hashlib.sha256).hexdigest()
