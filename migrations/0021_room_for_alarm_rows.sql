-- A row is written anew with every reading. With room on its page for several versions that leaves the indexes alone.
alter table alarm_state set (fillfactor = 50);
