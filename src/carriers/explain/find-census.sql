-- params: usdot
SELECT * FROM census WHERE usdot = $1
