-- How long an organization keeps its readings, and what they occupy.

alter table organization add column retention_years integer not null default 10
  check (retention_years between 1 and 100);

-- Months of packed readings that were counted, and when. Those that never were have no row.
create table reading_month (
  month date primary key,
  counted_at timestamptz not null
);

-- What an organization has stored in a month, as it was counted. Also how a month is found that is past its retention.
create table reading_usage (
  organization_id integer not null references organization on delete cascade,
  month date not null references reading_month on delete cascade,
  readings bigint not null,
  -- About: with what table and index take beside the packs.
  bytes bigint not null,
  first_at timestamptz not null,
  -- Of the seven whole days before it was counted.
  recent_readings bigint not null,
  recent_bytes bigint not null,
  primary key (organization_id, month)
);
create index reading_usage_month on reading_usage (month);
