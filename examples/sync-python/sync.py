"""Keeps a copy of a feed that equals the service's: `python3 sync.py us_brokers state=TX`.

Python 3.9 or newer and nothing else. ../README.md lists the settings. Run it as often as you like, for example daily; a
run that was killed goes on where it ended.
"""

import datetime
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

FOLDER = os.environ.get("FOLDER", ".")
MOST_READINGS = 5
MOST_ATTEMPTS = 5


class Refused(Exception):
    """An answer that is an error. `code` is the problem's code."""

    def __init__(self, status, code, detail):
        super().__init__(f"{detail} ({code}, {status})")
        self.code = code


def get(path, **query):
    """The answer as data. Asks again after temporary errors."""
    base = os.environ.get("TDF_URL", "http://127.0.0.1:3000")
    url = f"{base}/v1/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"X-API-Key": os.environ["TDF_KEY"]})
    for attempt in range(1, MOST_ATTEMPTS + 1):
        wait = 2**attempt
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.loads(error.read() or b"{}")
            code = problem.get("code", "invalid_request")
            is_temporary = error.code in (429, 500, 502, 503, 504) and code != "quota_exceeded"
            if not is_temporary or attempt == MOST_ATTEMPTS:
                raise Refused(error.code, code, str(problem.get("detail"))) from None
            wait = int(error.headers.get("Retry-After", wait))
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            if attempt == MOST_ATTEMPTS:
                raise
        time.sleep(wait)


def digest_of(records, columns):
    """The digest of a checkpoint: the sum of the records' hashes, whatever their order."""

    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return ";".join(value) if isinstance(value, list) else "" if value is None else str(value)

    hashes = (hashlib.sha256("\x1f".join(text(r.get(c)) for c in columns).encode()).digest() for r in records)
    return f"{sum(int.from_bytes(h[:8], 'big') for h in hashes) % 2**64:016x}"


def refresh(record, as_of, verified_on):
    """Writes the columns that follow from the record and the days of its version: `x-volatile` in the contract."""
    day, granted = datetime.date.fromisoformat, record["authority_granted"]
    record["days_in_business"] = None if granted is None else (day(as_of) - day(granted)).days
    record["last_verified"] = verified_on[record["status_source"]]


def agrees(feed, records, checkpoint):
    """Whether the records are those of the checkpoint."""
    if checkpoint is None:
        return True
    if checkpoint["rows"] != len(records):
        return False
    found = next(each for each in get("feeds")["data"] if each["code"] == feed)
    columns = [name for name in found["columns"] if name not in found["volatile_columns"]]
    return digest_of(records.values(), columns) == checkpoint["digest"]


def read_copy(file):
    """What the copy is of, and its records; None and nothing when there is none."""
    try:
        with open(file, encoding="utf-8") as lines:
            facts = json.loads(next(lines))
            return facts, {record["record_id"]: record for record in map(json.loads, lines)}
    except FileNotFoundError:
        return None, {}


def write_copy(file, facts, records):
    """Puts the copy in the place of the one before, in one step."""
    with open(f"{file}.part", "w", encoding="utf-8") as output:
        for line in [facts, *records.values()]:
            output.write(json.dumps(line, ensure_ascii=False) + "\n")
        output.flush()
        os.fsync(output.fileno())
    os.replace(f"{file}.part", file)


def read_pages(file, facts):
    """The pages of changes that an earlier run stored. A crash may have cut the last line."""
    start = {"since": facts["version"], "removals": facts.get("removals"), "filters": facts["filters"]}
    head = json.dumps({name: value for name, value in start.items() if value is not None}, separators=(",", ":"))
    try:
        with open(file, encoding="utf-8") as stored:
            lines = stored.read().split("\n")[:-1]
    except FileNotFoundError:
        lines = []
    if not lines or lines[0] != head:
        lines = [head]
    with open(file, "w", encoding="utf-8") as output:
        output.write("".join(line + "\n" for line in lines))
    return [json.loads(line) for line in lines[1:]]


def forget(file):
    """Deletes the file if it is there."""
    if os.path.exists(file):
        os.remove(file)


def state_of(version, page):
    """What to keep of the last page: with the version, the number of removals of the checkpoint that the copy has."""
    return {"version": version, "removals": (page["meta"].get("checkpoint") or {}).get("removals"), "as_of": page["as_of"]}


def since(facts):
    """The parameters that name a copy. With the number each thing is told once."""
    removals = facts.get("removals")
    return {"since_version": facts["version"], **({} if removals is None else {"since_removals": removals})}


def by_changes(feed, facts, records, copy_file, changes_file):
    """Applies what changed since the copy. False when that can't be told any more: then read all records."""
    pages = read_pages(changes_file, facts)
    is_newest = not pages
    try:
        while not pages or pages[-1]["next_cursor"] is not None:
            start = {"cursor": pages[-1]["next_cursor"]} if pages else since(facts)
            page = get(f"feeds/{feed}/changes", limit=1000, **facts["filters"], **start)
            with open(changes_file, "a", encoding="utf-8") as output:
                output.write(json.dumps(page, ensure_ascii=False) + "\n")
                output.flush()
                os.fsync(output.fileno())
            pages.append(page)
    except Refused as error:
        if error.code not in ("version_expired", "cursor_expired", "invalid_request"):
            raise
        forget(changes_file)
        return by_changes(feed, facts, records, copy_file, changes_file) if pages else False
    for change in (change for page in pages for change in page["data"]):
        if change["op"] == "removed":
            records.pop(change["record_id"], None)
        else:
            records[change["record_id"]] = change["record"]
    end = pages[-1]
    for record in records.values():
        refresh(record, end["as_of"], end["meta"]["verified_on"])
    is_whole = agrees(feed, records, end["meta"]["checkpoint"])
    facts = {**facts, **state_of(end["meta"]["to_version"], end)}
    if is_whole:
        write_copy(copy_file, facts, records)
    forget(changes_file)
    # Pages that an earlier run began with end at the version that was the newest then.
    return is_whole and (is_newest or by_changes(feed, facts, records, copy_file, changes_file))


def read_whole(feed, filters, copy_file):
    """Reads all records of the current version."""
    for _ in range(MOST_READINGS):
        records, page, pinned = {}, {"has_more": True}, {}
        try:
            while page["has_more"]:
                number = page.get("page", 0) + 1
                page = get(f"feeds/{feed}/records", page=number, page_size=1000, **filters, **pinned)
                pinned = {"version": page["meta"]["version"]}
                records.update((record["record_id"], record) for record in page["data"])
        except Refused as error:
            if error.code != "invalid_filter" or not pinned:
                raise
            continue
        if agrees(feed, records, page["meta"].get("checkpoint")):
            facts = {"feed": feed, "filters": filters, **state_of(page["meta"]["version"], page)}
            write_copy(copy_file, facts, records)
            return
    sys.exit(f"{feed} changed during each of {MOST_READINGS} readings. Try again later.")


def sync(feed, filters):
    """Brings the copy of a feed up to date. Returns what it is of now, and how many records it has."""
    copy_file, changes_file = (os.path.join(FOLDER, f"{feed}.{end}") for end in ("ndjson", "changes"))
    facts, records = read_copy(copy_file)
    is_usable = facts is not None and facts["filters"] == filters
    if not (is_usable and by_changes(feed, facts, records, copy_file, changes_file)):
        read_whole(feed, filters, copy_file)
        forget(changes_file)
    facts, records = read_copy(copy_file)
    return facts, len(records)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: python3 sync.py FEED [filter=value ...]")
    try:
        done, count = sync(sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:]))
    except Refused as error:
        sys.exit(str(error))
    print(json.dumps({**done, "rows": count}))
