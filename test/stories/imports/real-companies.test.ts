// Ten companies of the real extract of the census, as a feed shows them; the values were checked by hand against the file.
// Their authorities are made up, so that the feed has them.
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const CENSUS = path.join(import.meta.dirname, "../../fixtures/fmcsa/census_company_sample.csv");
const LEGACY_INSURANCE = path.join(import.meta.dirname, "../../fixtures/fmcsa/legacy_insurance_sample.json");
const FEED = "us_insurance_lapse_alerts";
const PROPERTY = "Motor Carrier of Property (Except Household Goods)";
const REFUSALS = ["missing-source"];

const filed = (
  carrier_operation: string,
  cargo: string[] | null,
  mcs150_date: string | null,
  [annual_mileage, mileage_year]: [number, number] | [null, null],
  [safety_rating, safety_rating_date]: [string, string] | [null, null],
  is_individual: boolean,
) => ({
  carrier_operation,
  cargo,
  mcs150_date,
  annual_mileage,
  mileage_year,
  safety_rating,
  safety_rating_date,
  is_individual,
});
const NO_MILES: [null, null] = [null, null];
const UNRATED: [null, null] = [null, null];

const COMPANIES: readonly (readonly [usdot: number, expected: Record<string, unknown>])[] = [
  [
    4,
    filed(
      "interstate",
      ["general_freight", "grain_feed", "other"],
      "2007-12-14",
      [27_574, 2005],
      ["conditional", "2002-10-09"],
      true,
    ),
  ],
  [9, filed("interstate", ["produce"], null, NO_MILES, ["satisfactory", "1980-09-10"], true)],
  [
    33,
    filed("interstate", ["construction"], "2015-03-31", [100, 2014], ["conditional", "1988-03-16"], false),
  ],
  [44, filed("intrastate", ["general_freight", "garbage", "other"], "2006-04-04", NO_MILES, UNRATED, true)],
  [
    64,
    filed(
      "interstate",
      ["construction"],
      "2026-03-04",
      [107_954, 2025],
      ["satisfactory", "2001-03-13"],
      false,
    ),
  ],
  [68, filed("interstate", ["motor_vehicles"], null, NO_MILES, ["unsatisfactory", "1981-08-05"], true)],
  [
    174,
    filed(
      "interstate",
      ["general_freight", "produce", "grain_feed", "refrigerated_food", "farm_supplies", "other"],
      "2025-10-01",
      [121_904, 2024],
      ["satisfactory", "1989-02-24"],
      false,
    ),
  ],
  [191, filed("interstate", null, null, NO_MILES, UNRATED, false)],
  [
    198,
    {
      ...filed(
        "interstate",
        ["general_freight"],
        "2025-08-22",
        [99_240_000, 2025],
        ["satisfactory", "1996-07-08"],
        false,
      ),
      hazmat: true,
    },
  ],
  [203, filed("interstate", ["oilfield"], null, NO_MILES, ["conditional", "1989-03-06"], false)],
  [265, filed("intrastate", ["construction", "other"], "2008-05-09", [21_000, 2007], UNRATED, false)],
  [
    295_017,
    {
      ...filed("interstate", ["household_goods"], "2025-05-28", [10_000, 2019], UNRATED, false),
      usdot_added: "1987-06-10",
      // MRV 3254703-17 of the extract of Motus Insur. Its alert is that Motus Carrier has no amount, which names no insurer.
      insurer: null,
      policy_effective: "2025-01-01",
    },
  ],
];

let folder: string;
let service: TestService;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-companies-"));
  await cp(CENSUS, path.join(folder, "census.csv"));
  await cp(LEGACY_INSURANCE, path.join(folder, "legacy_insurance.json"));
  await writeFile(
    path.join(folder, "carrier.csv"),
    csv(
      `DOCKET_NUMBER,USDOT_NUMBER,RFC_NUMBER,OP_AUTH_TYPE,OP_AUTH_STATUS,MIN_COV_AMOUNT,CARGO_REQ,BOND_REQ,BIPD_FILE,
       CARGO_FILE,BOND_FILE,BUS_UNDELIVERABLE_MAIL,MAIL_UNDELIVERABLE_MAIL,DBA_NAME,LEGAL_NAME,BUS_STREET_PO,BUS_COLONIA,
       BUS_CITY,BUS_STATE_CODE,BUS_CTRY_CODE,BUS_ZIP_CODE,BUS_TELNO,MAIL_STREET_PO,MAIL_COLONIA,MAIL_CITY,
       MAIL_STATE_CODE,MAIL_CTRY_CODE,MAIL_ZIP_CODE`,
      COMPANIES.map(
        ([usdot], index) =>
          `${usdot === 295_017 ? "MC139446" : `MC90000${index}`},${usdot},,${PROPERTY},Active,750000,N,N,0,N,N,Y,Y,,,,,,,US,,,,,,,,`,
      ),
    ),
  );
  await writeFile(
    path.join(folder, "authhist.csv"),
    csv("DOCKET_NUMBER,USDOT_NUMBER,OP_AUTH_TYPE,OP_AUTH_STATUS,REASON,STATUS_CHANGE_DATE", [
      `MC900000,4,${PROPERTY},Active,GRANTED,20261119`,
    ]),
  );
  await writeFile(
    path.join(folder, "insur.csv"),
    csv(
      `DOCKET_NUMBER,USDOT_NUMBER,INS_FORM_CODE,INS_TYPE_CODE,INS_CLASS_CODE,MAX_COV_AMOUNT,UNDERL_LIM_AMOUNT,POLICY_NO,
       EFFECTIVE_DATE,INSURANCE_COMPANY_NAME,TRANS_DATE`,
      [
        "MC900000,4,BMC-34,2,P,5000,0,A1,20261001,EXAMPLE INSURANCE CO,20261119",
        "MC139446,295017,BMC-34,2,P,5000.00,0.00,CGV 3254702-17,20250101,Vanliner Insurance Company,20241230",
        "MC139446,295017,BMC-91X,1,P,1000000.00,0.00,MRV 3254703-17,20250101,Vanliner Insurance Company,20241230",
      ],
    ),
  );
  await writeFile(
    path.join(folder, "inshist.csv"),
    csv(
      `DOCKET_NUMBER,USDOT_NUMBER,INS_FORM_CODE,FILING_STATUS_REASON,INS_TYPE_CODE,INS_TYPE_IND,POLICY_NO,INS_TYPE_DESC,
       MIN_COV_AMOUNT,INS_CLASS_CODE,EFFECTIVE_DATE,UNDERL_LIM_AMOUNT,MAX_COV_AMOUNT,CANCL_EFFECTIVE_DATE,
       INSURANCE_COMPANY_NAME`,
      ["MC900000,4,BMC-34,CANCEL,2,*,A0,CARGO,0,P,20250101,0,5000,20251001,EXAMPLE INSURANCE CO"],
    ),
  );
  service = await startTestService({ clock: settableClock("2026-11-20T12:00:00Z") });
  ({ key } = await service.createAccount({ feeds: { [FEED]: null } }));
  await importFolder(service.context, { dir: folder, asOf: null, accept: new Set(REFUSALS) });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const csv = (header: string, rows: readonly string[]): string =>
  [header.replaceAll(/\s+/g, ""), ...rows].map((line) => `${line}\n`).join("");

it.each(COMPANIES)("USDOT number %i has what it filed", async (usdot, expected) => {
  const answer = await service.get(`/v1/carriers/${usdot}`, key);
  expect(answer.status).toBe(200);
  const { records } = (await answer.json()) as { records: { record: Record<string, unknown> }[] };
  expect(records[0]?.record).toMatchObject({
    hazmat: false,
    usdot_added: null,
    insurance_required: 750_000,
    insurance_on_file: 0,
    policy_effective: null,
    cancellation_pending: null,
    // The last cancellation of the extracts took effect in 2003; the other ends are replacements.
    cancellations_12m: 0,
    ...expected,
  });
});
