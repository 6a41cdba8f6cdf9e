-- name: lastShownAgain :one
-- When a removal was last undone; null: never.
SELECT max(shown_at) AS "shownAgainAt" FROM removal_list_shown_again;
