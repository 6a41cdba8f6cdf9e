-- params: none
SELECT demo_first_day AS day FROM installation
