-- What somebody did, noted by the transaction that did it: whoever lost the connection at the commit finds out whether it
-- happened.
create table act (
  id uuid primary key,
  -- false: somebody looked for it and it had not happened; now it never can.
  is_done boolean not null,
  -- When the housekeeping first came across it; a day later it is forgotten.
  seen_at timestamptz
);
