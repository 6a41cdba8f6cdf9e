"""What the package does with the answers of others, with a key from a file, and with a loop that is left. Prints it."""

import json
import sys

from trucking_data_feed import TruckingDataFeed, TruckingDataFeedError

given = json.loads(sys.argv[1])


def failure(call):
    try:
        call()
    except TruckingDataFeedError as error:
        return [error.code, error.status]
    except ValueError as error:
        return str(error)
    return None


def asks(url):
    return failure(TruckingDataFeed("none", url, max_retries=0).usage)


def exports(url):
    return failure(lambda: TruckingDataFeed("none", url, max_retries=0).open_export("us_brokers"))


from_file = TruckingDataFeed(f"{given['key']}\n", f"{given['baseUrl']}\n")
streaming = TruckingDataFeed("none", given["endlessUrl"], max_retries=0, timeout_seconds=5)
export = streaming.open_export("us_brokers", format="ndjson")
for record in export.records():
    break

print(
    json.dumps(
        {
            "page": asks(given["pageUrl"]),
            "pageForExport": exports(given["pageUrl"]),
            "others": [asks(url) for url in given["otherUrls"]],
            "compressed": asks(given["compressedUrl"]),
            "garbled": asks(given["garbledUrl"]),
            "blankInPath": failure(lambda: from_file.count("us brokers")),
            "keyOfFile": from_file.usage()["usage"]["quota_rows"],
            "noKey": failure(lambda: TruckingDataFeed("one\ntwo", given["baseUrl"]).usage()),
            "showsKey": given["key"] in str(vars(from_file)),
            # Answered when the download has ended.
            "left": [record["company"], failure(streaming.usage)],
            "readAgain": failure(lambda: list(export.records())),
            "noAddress": failure(lambda: TruckingDataFeed("none", "https://api.example.com /")),
        }
    )
)
