"""Calls every operation once. Prints the requests of each, by operationId."""

import json
import sys

from trucking_data_feed import TruckingDataFeed

given = json.loads(sys.argv[1])
requests = []
tdf = TruckingDataFeed(
    given["key"], given["baseUrl"], on_answer=lambda answer: requests.append(f"{answer.method} {answer.path}")
)
feed, endpoint, other, delivery = "us_brokers", given["endpoint"], given["other"], given["delivery"]
hooks = tdf.webhooks
lists, watchlist = tdf.watchlists, given["watchlist"]
range_ = {"from": "2026-11-20T00:00:00Z", "to": "2026-11-22T00:00:00Z"}
testing = TruckingDataFeed(
    given["testKey"], given["baseUrl"], on_answer=lambda answer: requests.append(f"{answer.method} {answer.path}")
)

CALLS = {
    "listFeeds": lambda: tdf.feeds(),
    "readRecords": lambda: list(tdf.records(feed, {"state": ["TX", "CA"], "exclude_individuals": False})),
    "exportFeed": lambda: b"".join(tdf.open_export(feed).chunks()),
    "exportFeedAsNdjson": lambda: list(tdf.open_export(feed, format="ndjson").records()),
    "exportFeedAsParquet": lambda: b"".join(tdf.open_export(feed, format="parquet").chunks()),
    "listSources": lambda: tdf.sources(),
    "listFeedVersions": lambda: list(tdf.versions(feed)),
    "readFeedChanges": lambda: list(tdf.changes(feed, given["version"], {"op": "added"})),
    "countRecords": lambda: tdf.count(feed, by="state"),
    "readTimeline": lambda: list(tdf.timeline(4400000, category="authority")),
    "readConnections": lambda: list(tdf.connections(4400000, link=["phone"], state="ended")),
    "searchCarriers": lambda: tdf.search_carriers(docket="MC-1", limit=5),
    "lookUpCarrier": lambda: tdf.carrier(4400000),
    "lookUpCarriers": lambda: tdf.carriers(usdots=["4400000"], dockets=["MC-1"]),
    "readUsage": lambda: tdf.usage(),
    "listEvents": lambda: list(tdf.events(type=["new_authority_granted"])),
    "listEventCorrections": lambda: list(tdf.corrections(type=["reinstated"], page_size=10)),
    "readEvent": lambda: tdf.event(f"evt_{given['event']}"),
    "createTestEvent": lambda: testing.create_test_event({"type": "reinstated", "usdot": "90000004"}),
    "listWatchlists": lambda: lists.list(),
    "createWatchlist": lambda: lists.create({"name": "Prospects"}),
    "readWatchlist": lambda: lists.read(watchlist),
    "updateWatchlist": lambda: lists.update(watchlist, {"name": "Clients of today"}),
    "addWatchedCarriers": lambda: lists.add(watchlist, {"usdots": ["4400000"]}),
    "replaceWatchedCarriers": lambda: lists.replace(watchlist, {"usdots": []}),
    "listWatchedCarriers": lambda: list(lists.carriers(watchlist)),
    "removeWatchedCarriers": lambda: lists.remove(watchlist, {"dockets": ["MC-1"]}),
    "listCarrierChanges": lambda: list(tdf.carrier_changes(watchlist=watchlist, category=["contact"])),
    "listWebhooks": lambda: hooks.list(),
    "createWebhook": lambda: hooks.create(
        {"url": "https://hooks.example.com/in", "event_types": ["new_authority_granted"]}
    ),
    "readWebhook": lambda: hooks.read(endpoint),
    "updateWebhook": lambda: hooks.update(endpoint, {"description": "ours"}),
    "testWebhook": lambda: hooks.test(endpoint),
    "rotateWebhookSecret": lambda: hooks.rotate_secret(endpoint, overlap_seconds=60),
    "listWebhookDeliveries": lambda: list(hooks.deliveries(endpoint, {"status": "queued"})),
    "readWebhookDelivery": lambda: hooks.delivery(endpoint, delivery),
    "resendWebhookDelivery": lambda: hooks.resend(endpoint, delivery),
    "replayWebhook": lambda: hooks.replay(endpoint, range_),
    "pauseWebhook": lambda: hooks.pause(other),
    "deleteWatchlist": lambda: lists.delete(watchlist),
    "listKeys": lambda: list(tdf.keys.list()),
    "createKey": lambda: tdf.keys.create({"name": "Usage", "scopes": ["usage:read"], "expires_in_days": 1}),
    "rotateKey": lambda: tdf.keys.rotate(given["ownKey"], grace_seconds=0),
    "revokeKey": lambda: tdf.keys.revoke(given["ownKey"]),
    "requestRemoval": lambda: tdf.request_removal({"usdot": "4400001"}),
}

made = {}
for operation, call in CALLS.items():
    requests.clear()
    call()
    made[operation] = list(requests)
print(json.dumps(made))
