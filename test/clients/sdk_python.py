"""The task of task.ts with the Python package. Its copy is brought up to date by changes alone."""

import json
import sys
import urllib.request

from trucking_data_feed import TruckingDataFeed, WebhookVerificationError, verify_webhook

trial = json.loads(sys.argv[1])
tdf = TruckingDataFeed(trial["key"], trial["baseUrl"])
feed = trial["feed"]

listed = [record["record_id"] for record in tdf.records(feed, page_size=2)]
oldest = list(tdf.versions(feed))[-1]["version"]
copy = {record["record_id"] for record in tdf.records(feed, {"version": oldest}, page_size=2)}
ops = set()
for change in tdf.changes(feed, oldest, page_size=1):
    ops.add(change["op"])
    if change["op"] == "removed":
        copy.discard(change["record_id"])
    else:
        copy.add(change["record"]["record_id"])

endpoint = tdf.webhooks.create({"url": trial["hookUrl"], "event_types": ["reinstated"]})
tdf.webhooks.test(endpoint["id"])
with urllib.request.urlopen(trial["lastDeliveryUrl"]) as answer:
    delivery = json.load(answer)


def passes(body: str) -> bool:
    try:
        verify_webhook(body, delivery["headers"]["service-signature"], endpoint["secret"])
        return True
    except WebhookVerificationError:
        return False


print(
    json.dumps(
        {
            "feeds": [each["code"] for each in tdf.feeds()],
            "listed": sorted(listed),
            "synced": sorted(copy),
            "ops": sorted(ops),
            "isVerified": passes(delivery["body"]),
            "isForgeryRefused": not passes(delivery["body"].replace("test", "tost")),
        }
    )
)
