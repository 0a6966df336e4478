-- What became of a letter: the host that took it, or that it was kept for want of a mail server. Null: a program of the
-- version before did not note it.
alter table letter add column handed_to text, add column is_kept boolean;
alter table account_mail add column handed_to text, add column is_kept boolean;
alter table reminder add column handed_to text, add column is_kept boolean;

-- Whether the mail of a program that delivers is kept; null: it does not deliver, or does not say.
alter table program add column keeps_mail boolean;
