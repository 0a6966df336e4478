-- What the two values of a state are called where people read them; null: what goes with the channel's name.
alter table channel
  add column off_word text check (btrim(off_word) <> ''),
  add column on_word text check (btrim(on_word) <> '');
