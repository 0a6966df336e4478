-- The unit that its sender declared first: what comes in another one is refused until an administrator agrees.
alter table channel add column sent_unit text check (btrim(sent_unit) <> '');
