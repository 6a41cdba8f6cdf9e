-- params: none
DELETE FROM agent_contact WHERE shipped
