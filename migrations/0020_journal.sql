-- What happens to the services of an organization happens in one order. Whoever takes readings of theirs, or changes what
-- they are judged by, holds the organization's lock (engine/journal/take-turn.ts) and then takes the next position.
create sequence journal_position;

-- The inbox holds the entries.
alter table reading_inbox
  add column organization_id integer,
  add column position bigint,
  -- Services whose rows were written, or what they are judged by: who remembers them looks them up again.
  add column changed integer[] not null default '{}',
  -- The latest time in it.
  add column last_at timestamptz,
  -- null: an entry without readings.
  alter column data drop not null;

update reading_inbox set position = id, last_at = received_at,
  organization_id = coalesce((select organization_id from service where id = service_ids[1]), 0);
select setval('journal_position', coalesce(max(position), 0) + 1) from reading_inbox;

alter table reading_inbox alter column organization_id set not null, alter column position set not null;
create unique index reading_inbox_position on reading_inbox (organization_id, position);

-- Entries up to this one may be gone: what they brought is in packs, and in the rows of the services.
create table journal_packed (
  organization_id integer primary key,
  until bigint not null
);

-- The row holds what the entries up to this one have brought. What later ones brought of a quiet service stands in them only.
alter table alarm_state add column position bigint not null default 0;
