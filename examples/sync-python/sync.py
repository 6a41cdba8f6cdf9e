"""Keeps a copy of a feed that equals the service's: `python3 sync.py us_brokers state=TX`.

Python 3.9 or newer and the package of the service. ../README.md lists the settings. Run it as often as you like, for example
daily; a run that was killed goes on where it ended.
"""

import json
import os
import sys

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: python3 sync.py FEED [filter=value ...]")
    tdf = TruckingDataFeed(os.environ["TDF_KEY"], os.environ.get("TDF_URL", "http://127.0.0.1:3000"))
    filters = dict(word.split("=", 1) for word in sys.argv[2:])
    try:
        done = tdf.sync_feed(os.environ.get("FOLDER", "."), sys.argv[1], filters)
    except TruckingDataFeedError as error:
        sys.exit(str(error))
    print(json.dumps(vars(done)))
