-- Apart from the migration before: checking the rows locks nobody out.
ALTER TABLE "sign_in_link" VALIDATE CONSTRAINT "sign_in_link_person_id_fkey";
ALTER TABLE "dashboard_session" VALIDATE CONSTRAINT "dashboard_session_person_id_fkey";
