-- Changes a row only if the rules differ from those of the last import.
-- params: hash
INSERT INTO authority_rules (hash) VALUES ($1)
ON CONFLICT (id) DO UPDATE SET hash = excluded.hash WHERE authority_rules.hash <> excluded.hash
