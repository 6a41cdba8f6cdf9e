"""Webhook endpoints and their deliveries."""

from __future__ import annotations

from typing import Any, cast

from . import types
from .connection import Connection, Filters
from .paged_list import PagedList, by_cursor


class Webhooks:
    """The account's webhook endpoints."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> types.WebhooksOut:
        """The endpoints, oldest first, and the event types that the plan includes."""
        return cast(types.WebhooksOut, self._ask("GET", "webhooks"))

    def create(self, endpoint: types.WebhookIn) -> types.WebhookOut:
        """Registers an address. Store the `secret`: only this answer has it."""
        return cast(types.WebhookOut, self._create("webhooks", endpoint))

    def read(self, endpoint_id: int) -> types.WebhookOut:
        """One endpoint, active or paused."""
        return cast(types.WebhookOut, self._ask("GET", f"webhooks/{endpoint_id}"))

    def update(self, endpoint_id: int, change: types.WebhookChange) -> types.WebhookOut:
        """Changes the members that are given. `active: True` enables a paused endpoint."""
        return cast(types.WebhookOut, self._ask("PATCH", f"webhooks/{endpoint_id}", body=change))

    def pause(self, endpoint_id: int) -> None:
        """Pauses an endpoint; nothing is deleted."""
        self._ask("DELETE", f"webhooks/{endpoint_id}")

    def delete(self, endpoint_id: int) -> None:
        """Deletes an endpoint with its secret and history. This can't be undone."""
        # Repeated after an answer that was lost, it would fail with not_found although it was done.
        self._connection.ask("DELETE", f"webhooks/{endpoint_id}", {"permanent": True}, is_repeatable=False)

    def test(self, endpoint_id: int) -> types.TestDeliveryOut:
        """Queues a signed test delivery."""
        return cast(types.TestDeliveryOut, self._create(f"webhooks/{endpoint_id}/test"))

    def rotate_secret(self, endpoint_id: int, *, overlap_seconds: int = 0) -> types.SecretOut:
        """Changes the signing secret. For `overlap_seconds`, deliveries are also signed with the old one.

        Store the new secret: only this answer has it.
        """
        body = {"overlap_seconds": overlap_seconds}
        return cast(types.SecretOut, self._create(f"webhooks/{endpoint_id}/rotate", body))

    def deliveries(self, endpoint_id: int, query: Filters = None) -> PagedList[types.DeliveriesOut, types.DeliveryOut]:
        """An endpoint's deliveries with their attempts, newest first."""
        asked = {**(query or {}), "limit": 1000}
        return by_cursor(lambda at: self._ask("GET", f"webhooks/{endpoint_id}/deliveries", {**asked, **at}))

    def delivery(self, endpoint_id: int, delivery_id: int) -> types.DeliveryDetailOut:
        """One delivery with the body that is sent, and the signatures that each attempt sent."""
        return cast(types.DeliveryDetailOut, self._ask("GET", f"webhooks/{endpoint_id}/deliveries/{delivery_id}"))

    def resend(self, endpoint_id: int, delivery_id: int) -> types.DeliveryQueuedOut:
        """Queues a delivery again, whatever became of it."""
        path = f"webhooks/{endpoint_id}/deliveries/{delivery_id}/resend"
        return cast(types.DeliveryQueuedOut, self._create(path))

    def replay(self, endpoint_id: int, range: types.ReplayIn) -> types.ReplayOut:
        """Counts the deliveries of a range of time; with `dry_run: False` queues them again.

        While the answer has a `next_cursor`, call it again with that as `cursor`.
        """
        return cast(types.ReplayOut, self._create(f"webhooks/{endpoint_id}/replay", range))

    def _ask(self, method: str, path: str, query: Filters = None, body: Any = None) -> Any:
        return self._connection.ask(method, path, query, body)

    def _create(self, path: str, body: Any = None) -> Any:
        return self._connection.ask("POST", path, body=body, is_creating=True)
