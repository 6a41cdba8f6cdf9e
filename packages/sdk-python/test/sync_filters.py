"""Keeps copies whose filters are given in each form, in two runs. Prints what the runs read, and what is refused."""

import datetime
import json
import os
import sys

from trucking_data_feed import TruckingDataFeed

given = json.loads(sys.argv[1])
answers = []
tdf = TruckingDataFeed(given["key"], given["baseUrl"], on_answer=answers.append)


def paths(name, *forms):
    """The requests for records or changes of a run with each of the filters."""
    folder, found = os.path.join(given["folder"], name), []
    for filters in forms:
        answers.clear()
        tdf.sync_feed(folder, "us_brokers", filters)
        found.append([answer.path.rsplit("/", 1)[1] for answer in answers if answer.path != "/v1/feeds"])
    return found


def refusal(filters):
    answers.clear()
    try:
        tdf.sync_feed(os.path.join(given["folder"], "refused"), "us_brokers", filters)
    except ValueError as error:
        return [str(error), len(answers)]
    return None


day = datetime.date(2026, 11, 1)
with_null = os.path.join(given["folder"], "null")
tdf.sync_feed(with_null, "us_brokers", {"state": ["TX"]})
file = os.path.join(with_null, "us_brokers.ndjson")
with open(file, encoding="utf-8") as lines:
    head, *records = lines.read().split("\n")
facts = {**json.loads(head), "filters": {"state": ["TX"], "granted_since": None}}
with open(file, "w", encoding="utf-8") as output:
    output.write("\n".join([json.dumps(facts), *records]))

print(
    json.dumps(
        {
            "tuple": paths("tuple", {"state": ("TX", "CA")}, {"state": ["TX", "CA"]}),
            "order": paths("order", {"state": ["TX", "CA"]}, {"state": ["CA", "TX"]}),
            "set": paths("set", {"state": {"TX", "CA", "NY"}}, {"state": frozenset(["NY", "TX", "CA"])}),
            "date": paths("date", {"granted_since": day}, {"granted_since": "2026-11-01"}),
            "none": paths("none", {"state": None}, None),
            "ofEarlierRelease": paths("null", {"granted_since": None, "state": ["TX"]}),
            "fields": refusal({"fields": ["company"]}),
            "since": refusal({"since": day, "version": 1}),
        }
    )
)
