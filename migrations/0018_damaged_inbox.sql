-- Rows of the inbox that were set aside are named in the log once.
alter table reading_inbox add column logged_at timestamptz;
