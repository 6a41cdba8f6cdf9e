"""What the package does with answers that are not as one hopes. Prints it."""

import json
import sys
import tempfile

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError, sign_webhook, verify_webhook
from trucking_data_feed import WebhookVerificationError

given = json.loads(sys.argv[1])
answers, waits = [], []


def client(base_url, key=given["key"], **options):
    return TruckingDataFeed(key, base_url, on_answer=answers.append, **options)


def failure(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        return str(error)
    except TruckingDataFeedError as error:
        return [error.code, error.status, error.request_id is not None, len(error.faults)]
    return None


def refusal(**change):
    body, secret = '{"id":"evt_1","type":"reinstated","data":{}}', "whsec_c2VjcmV0"
    delivery = {"body": body, "header": sign_webhook(body, secret, now=1000), "secret": secret, "now": 1000}
    try:
        return verify_webhook(**{**delivery, **change})["id"]
    except WebhookVerificationError as error:
        return error.reason


tdf = client(given["baseUrl"])
tdf.count("us_brokers")
cost = answers[-1]
flaky = client(given["flakyUrl"], on_retry=lambda error, wait: waits.append([error.code, wait]))
with tempfile.TemporaryDirectory() as folder:
    broken = client(given["cuttingUrl"]).open_export("us_brokers", format="ndjson")
    with open(broken.save(folder), "rb") as file:
        saved = file.read()
whole = b"".join(tdf.open_export("us_brokers", format="ndjson").chunks())

print(
    json.dumps(
        {
            "cost": [cost.cost, cost.quota_limit, cost.rate_limit, cost.request_id is not None],
            "wrongKey": failure(client(given["baseUrl"], key="none").usage),
            "wrongFilter": failure(lambda: list(tdf.records("us_brokers", {"trucks_min": 1}))),
            "noPage": failure(lambda: tdf.connections("1", page_size=0)),
            "textForNumbers": failure(lambda: tdf.carriers(usdots="4400000")),
            "frozenset": failure(lambda: list(tdf.records("us_brokers", {"state": frozenset(["TX"])}))),
            "noAddress": failure(lambda: client("localhost:3000")),
            "versionInAddress": failure(lambda: client("http://127.0.0.1:9/v1/").carrier(1)),
            "wrongBody": failure(lambda: tdf.webhooks.create({"url": "https://hooks.example.com"})),
            "redirect": failure(client(given["redirectUrl"]).usage),
            "away": failure(client("http://127.0.0.1:9", max_retries=0).usage),
            "flaky": flaky.webhooks.test(given["endpoint"])["status"],
            "waits": waits,
            "gap": next(client(given["gapUrl"]).follow_events(poll_seconds=0))["meta"]["resume_cursor"],
            "isWholeAfterBreaks": saved == whole and len(whole) > 1000,
            "verified": refusal(),
            "old": refusal(now=1301),
            "new": refusal(now=699),
            "forged": refusal(body="{}"),
            "missing": refusal(header=None),
            "malformed": refusal(header="t=1"),
            "either": refusal(secret=["whsec_b3RoZXI=", "whsec_c2VjcmV0"]),
        }
    )
)
