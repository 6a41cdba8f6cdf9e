-- params: since
SELECT DISTINCT usdot FROM removal_list_shown_again WHERE shown_at >= $1
