-- params: firstDay?
UPDATE installation SET demo_first_day = $1
