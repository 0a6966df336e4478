-- When the receiver of a message first said that it takes none. It is tried on while its alarm holds, but nobody waits for
-- it: the next step of a ladder opens at once where all messages of a step were refused or failed.
alter table delivery add column refused_at timestamptz;
