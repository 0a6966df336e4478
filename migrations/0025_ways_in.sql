-- What a source sends, and what came of it.
alter table source
  -- How it speaks (domain/ways-in/source-settings.ts).
  add column kind text not null default 'tocsin' check (btrim(kind) <> ''),
  add column settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  add column last_seen_at timestamptz,
  -- The beginning of the last body that a mapping read, for the page on which the mapping is written.
  add column last_body bytea check (octet_length(last_body) <= 65536);

-- What was refused of a source, by reason: nobody reads the answers to a webhook.
create table source_refusal (
  -- A source that is changed gets a new id.
  source_id integer not null references source on delete cascade on update cascade,
  reason text not null,
  count bigint not null check (count > 0),
  last_at timestamptz not null,
  -- The beginning of what was refused last.
  sample bytea not null check (octet_length(sample) <= 500),
  primary key (source_id, reason)
);

-- When it last said a time that nobody can believe; its readings got the time at which they came in.
alter table device add column clock_suspect_at timestamptz;
