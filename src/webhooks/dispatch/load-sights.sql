-- Whether plans see events of types in states; one entry of the lists for each question.
-- params: planCodes, types, states[?], carriedTypes
SELECT asked.number, EXISTS (SELECT FROM plan_sees_event(asked.plan_code, asked.type, asked.state, $4::text[])) AS "isSeen"
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (plan_code, type, state, number)
