-- params: none
SELECT kind, value FROM agent_contact ORDER BY kind, value
