// The long form of these tests: every seed and length, where the short form has one or two.
import "./authorities.test.ts";
import "./coverage.test.ts";
import "./differences.test.ts";
import "./freshness.test.ts";
import "./insurance.test.ts";
import "./lapses.test.ts";
import "./oddities.test.ts";
import "./policies.test.ts";
import "./unknown.test.ts";
