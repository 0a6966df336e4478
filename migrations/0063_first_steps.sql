-- How far an organization has come with its first steps, as far as no other row says it. Without a row: not yet.
create table first_steps (
  organization_id integer primary key references organization on delete cascade,
  -- Somebody said that there is no colleague to invite.
  alone_at timestamptz,
  -- The test that was sent last from the guide.
  test_id bigint,
  -- Somebody said that a message arrived, on the guide or by what the message carries.
  arrived_at timestamptz,
  -- A made-up lab has nothing to be led to.
  is_made_up boolean not null default false
);

-- Houses that are lived in: whoever confirmed a message, or acknowledged a drill by its link, has had one.
insert into first_steps (organization_id, arrived_at)
select organization_id, min(at) from (
  select service.organization_id, confirmed_at as at
  from delivery join service on service.id = delivery.service_id where confirmed_at is not null
  union all
  select service.organization_id, acknowledged_at
  from drill join service on service.id = drill.service_id where acknowledged_at is not null) as said
group by organization_id;
