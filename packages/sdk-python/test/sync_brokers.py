"""Brings a copy up to date. Prints what it is of."""

import json
import sys

from trucking_data_feed import TruckingDataFeed

given = json.loads(sys.argv[1])
tdf = TruckingDataFeed(given["key"], given["baseUrl"])
done = tdf.sync_feed(given["folder"], "us_brokers", {"state": ["TX"]})
with open(done.file, encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines][1:]
print(json.dumps({"version": done.version, "rows": done.rows, "records": records}))
