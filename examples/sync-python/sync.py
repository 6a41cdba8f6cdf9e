"""Keeps a copy of a feed that equals the service's: `python3 sync.py us_brokers state=TX`.

Python 3.9 or newer and the package of the service. ../README.md lists the settings. Run it as often as you like, for example
daily; a run that was killed goes on where it ended.
"""

import json
import os
import sys

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError

USAGE = "Usage: python3 sync.py FEED [filter=value ...]"


def filters_of(words):
    """The filters that the words of the command line name. Ends the program when one can't be read."""
    filters = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            sys.exit(f"{word} is no filter.\n{USAGE}")
        if name in filters:
            sys.exit(f"{name} is given twice. Join its values with a comma: {name}={filters[name]},{value}")
        filters[name] = value
    return filters


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(USAGE)
    if "TDF_KEY" not in os.environ:
        sys.exit("Set TDF_KEY to your key; the demo's is in .data/demo.key.")
    filters = filters_of(sys.argv[2:])
    try:
        tdf = TruckingDataFeed(os.environ["TDF_KEY"], os.environ.get("TDF_URL", "http://127.0.0.1:3000"))
        done = tdf.sync_feed(os.environ.get("FOLDER", "."), sys.argv[1], filters)
    except (TruckingDataFeedError, OSError, ValueError) as error:
        sys.exit(str(error))
    print(json.dumps(vars(done)))
