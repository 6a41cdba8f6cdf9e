-- params: none
DELETE FROM agent_contact WHERE from_filings
