"""What the package does when an answer breaks off in its headers. Prints it."""

import json
import sys

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError

given = json.loads(sys.argv[1])
tdf = TruckingDataFeed(given["key"], given["baseUrl"], max_retry_wait_seconds=0.01)
rows = [tdf.usage()["limits"]["api_rows_month"] for _ in range(given["times"])]
codes = []
for _ in range(given["times"]):
    try:
        tdf.carrier(1)
    except TruckingDataFeedError as error:
        codes.append(error.code)
saved = []
for _ in range(given["times"]):
    with open(tdf.open_export("us_brokers").save(given["folder"]), encoding="utf-8", newline="") as file:
        saved.append(file.read())
print(json.dumps({"rows": rows, "codes": codes, "saved": saved}))
