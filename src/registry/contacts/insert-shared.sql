-- params: limit
INSERT INTO shared_contact (value, usdot_count)
SELECT value, usdot_count FROM filed_contact WHERE usdot_count > $1
