-- params: entries
INSERT INTO agent_contact (kind, value, note, shipped)
SELECT kind, value, note, true FROM jsonb_to_recordset($1) AS entry (kind text, value text, note text)
ON CONFLICT (kind, value) DO NOTHING
