-- A value that cannot be read says neither yes nor no.
ALTER TABLE "motus_carrier"
    ALTER COLUMN "cargo_required" DROP NOT NULL,
    ALTER COLUMN "bond_required" DROP NOT NULL,
    ALTER COLUMN "cargo_on_file" DROP NOT NULL,
    ALTER COLUMN "bond_on_file" DROP NOT NULL;
ALTER TABLE "staging"."motus_carrier"
    ALTER COLUMN "cargo_required" DROP NOT NULL,
    ALTER COLUMN "bond_required" DROP NOT NULL,
    ALTER COLUMN "cargo_on_file" DROP NOT NULL,
    ALTER COLUMN "bond_on_file" DROP NOT NULL;
