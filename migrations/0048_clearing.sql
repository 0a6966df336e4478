-- When an alarm of a channel is over, beside its limits: so far within them, for so long. Nothing is set: at once. Editing
-- a service says nothing about them.
alter table channel
  add column clear_margin double precision not null default 0 check (clear_margin >= 0 and clear_margin < 'Infinity'),
  add column clear_minutes double precision not null default 0 check (clear_minutes between 0 and 1440);
