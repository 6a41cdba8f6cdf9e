import type { FeedFilterNames, FeedRecords } from "./generated/feeds.ts";
import type { CarrierOut, FeedOut, ReadRecordsData, RecordsOut } from "./generated/operations/types.gen.ts";

/** The code of a feed. */
export type FeedCode = keyof FeedRecords;

/** A record of a feed. A newer service may send more columns. */
export type FeedRecord<Code extends FeedCode = FeedCode> = FeedRecords[Code];

/** The filters of a feed, and `version`, the feed version to read (the newest unless given). */
export type FeedFilters<Code extends FeedCode = FeedCode> = Pick<
  NonNullable<ReadRecordsData["query"]>,
  "since" | "version" | FeedFilterNames[Code]
>;

/** A record with these columns and `record_id`; a whole one when `Column` is never. */
type RecordWith<Code extends FeedCode, Column> = [Column] extends [never]
  ? FeedRecord<Code>
  : Pick<FeedRecord<Code>, Extract<keyof FeedRecord<Code>, Column | "record_id">>;

/** One page of a feed's records, as the service sends it. */
export type RecordPage<Code extends FeedCode = FeedCode, Column = never> = Omit<RecordsOut, "data"> & {
  data: RecordWith<Code, Column>[];
};

/** A feed of the plan. */
export type Feed = Omit<FeedOut, "code"> & {
  /** The code to read it with. A newer service may have feeds that this version of the SDK does not list. */
  code: FeedCode;
};

type OfCarrier = CarrierOut["records"][number];

/** A record of a carrier. `feed` tells which columns it has. */
export type CarrierRecord = {
  [Code in FeedCode]: Omit<OfCarrier, "feed" | "record"> & { feed: Code; record: FeedRecord<Code> };
}[FeedCode];
