/** Why a measure misses its target, or comes close enough to miss it in some runs. By the name of the measure. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  "import-copy":
    "One processor reads, checks and normalises the rows; the other takes them in. Both are fully used. psql only passes " +
    "lines on. Runs of the same program differ by a few hundredths.",
  "import-applied":
    "Half of the time is reading and copying, for which both processors are fully used. A third is filling the tables and " +
    "making their indexes, on one connection. A sixth is one statement that finds the state of every authority. It reads " +
    "temporary tables, so PostgreSQL does not share it among processes.",
  "hot-page":
    "A third of the processor time is the write of 56 KB to the socket, which the bare server has too. A sixth is garbage " +
    "collection. The rest is in small parts: HTTP parsing, routing, the statement, the log line, the hash of the key. For a " +
    "third of the time the thread waits for the database or the client. A larger young generation is the next thing to try.",
  "hot-page-alone":
    "A page asked for again needs one statement: key, limit, version, removals and quota. Any other page needs three, one " +
    "after the other. Requests at the same time share statements; those of one connection cannot.",
  "export-whole":
    "A bare server needs about two thirds of the time to write the same bytes to the same client. In the rest, the service " +
    "reads the file, adds the licence to each row, and leaves out removed rows.",
  "export-ndjson":
    "Each row names its columns, so the file has 2.8 times the bytes of CSV. A byte takes as long as one of CSV.",
  dispatch:
    "The bare loop signs nothing and stores nothing: a request takes 35 µs of its processor, a delivery 80 µs of the " +
    "dispatcher's and 30 of the database's. Of the 80, a third is undici with the write to the socket, a sixth each the " +
    "statements, the two signatures and their keys, and garbage collection, a seventh the queue and the decision, the rest " +
    "timers and metrics. For a fifth of the time its thread waits, for results to be recorded and for answers. A young " +
    "generation of 16 MB instead of 4 sent no more, nor did batches of 25 results instead of 50.",
  "dispatch-dead":
    "The endpoint that never answers holds 5 of the 100 deliveries that a process has in flight, each for as long as an " +
    "attempt may take. The rest is noise of two processors in full use.",
  "page-database":
    "The statement takes as long as it does for pgbench. The driver needs a third of the time to make strings of a hundred " +
    "rows. One string made by the database was slower.",
  removals:
    "Over 300 requests a round, the two differ by less than a twentieth, whichever comes first. The rest is noise of the " +
    "machine.",
  "start-memory":
    "Node's own program takes 60 MB, the heap after a collection 50 MB, and columns, lists of positions and finished pages " +
    "40 MB. The rest is garbage that is not collected yet.",
  "publish-stall":
    "Readers wait for no lock and no disk. The commit that publishes tells every connection which tables and columns the " +
    "import made and dropped. Each connection works that through before its next statement. While an " +
    "import computes, requests share two processors with it and wait longer than that; the details have both.",
};
