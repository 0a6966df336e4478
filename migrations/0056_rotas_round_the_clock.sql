-- From when on a version of a rota counts, in which zone, and further handovers of the same day. Rows from before have
-- none of these: such a version counts from its first handover on, in the zone of its rota, and hands over once a day.

alter table rota_version
  add column begins_at timestamptz,
  add column timezone text check (timezone <> '');

-- After the first one, which `rota_version.handover` has.
create table rota_handover (
  rota_id integer not null,
  version integer not null,
  position smallint not null check (position between 1 and 5),
  handover time not null,
  -- null: that of the version.
  timezone text check (timezone <> ''),
  primary key (rota_id, version, position),
  foreign key (rota_id, version) references rota_version on delete cascade
);

-- Which handover of the day a member takes turns at: 0 is the first. Positions go on from one handover to the next.
alter table rota_member add column handover smallint not null default 0 check (handover between 0 and 5);
