-- params: usdot
SELECT request_id AS request, removed_at AS since FROM removal_list_business WHERE usdot = $1
