"""What the package does when the first answer to a call breaks off. Prints it."""

import json
import sys

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError

given = json.loads(sys.argv[1])
tdf = TruckingDataFeed(given["key"], given["baseUrl"], max_retry_wait_seconds=0.01)


def outcome(call):
    try:
        return call()
    except TruckingDataFeedError as error:
        return error.code


print(
    json.dumps(
        {
            "secret": outcome(lambda: tdf.webhooks.rotate_secret(given["endpoint"])["secret"]),
            "rows": outcome(lambda: tdf.usage()["usage"]["quota_rows"]),
            # The first answer to this call is an error that breaks off.
            "unknown": outcome(lambda: tdf.carrier(1)),
            "deletedEndpoint": outcome(lambda: tdf.webhooks.delete(given["endpoint"])),
            "deletedList": outcome(lambda: tdf.watchlists.delete(given["watchlist"])),
            "followed": outcome(lambda: len(next(tdf.follow_events(since="2026-11-20T00:00:00Z", page_size=2))["data"])),
        }
    )
)
