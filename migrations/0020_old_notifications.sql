-- What was told longer ago than the retention is found by its age, and forgotten.
create index notification_by_age on notification (created_at);

-- Mails about accounts that were given up, for the health report.
create index account_mail_failed on account_mail (finished_at) where state = 'failed';
