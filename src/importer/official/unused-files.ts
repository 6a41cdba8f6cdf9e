import { words } from "../rows/official-file.ts";

/** A known registry file that is not imported. */
interface UnusedFile {
  title: string;
  header: readonly string[];
  /** The portal's ids. */
  ids: readonly string[];
}

export const UNUSED_FILES: readonly UnusedFile[] = [
  {
    // It also exists as a text file without header.
    title: "legacy Rejected",
    header: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC POLICY_NO RECV_DATE INS_CLASS_CODE INS_TYPE_IND
      UNDERL_LIM_AMOUNT MAX_COV_AMOUNT REJ_DATE INSER_BRANCH NAME_COMPANY REJ_REASONS MIN_COV_AMOUNT`),
    ids: ["96tg-4mhf", "9m5y-imtw", "t3zq-c6n3"],
  },
  {
    title: "SMS census",
    header: words(`
      DOT_NUMBER LEGAL_NAME DBA_NAME CARRIER_OPERATION HM_FLAG PC_FLAG PHY_STREET PHY_CITY PHY_STATE PHY_ZIP
      PHY_COUNTRY MAILING_STREET MAILING_CITY TELEPHONE EMAIL_ADDRESS MCS150_DATE NBR_POWER_UNIT DRIVER_TOTAL`),
    ids: ["kjg3-diqy"],
  },
  {
    // The whole files of the legacy registry already have every row.
    title: "daily difference of a legacy file",
    header: [],
    ids: ["6qg9-x4f8", "sn3k-dnx7", "pivg-szje", "mzmm-6xep", "chgs-tx6x", "xkmg-ff2t", "fb8g-ngam"],
  },
];
