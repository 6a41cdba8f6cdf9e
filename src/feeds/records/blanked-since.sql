-- params: since
SELECT value FROM removal_list_contact WHERE removed_at > $1
