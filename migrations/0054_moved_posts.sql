-- Posts of readings whose own times do not count, and the time that the newest of them got: when one comes again it gets the
-- same, whichever program it comes to, and is known by it.
create table moved_post (
  -- A source that is changed gets a new id.
  source_id integer not null references source on delete cascade on update cascade,
  -- SHA-256 of the body as it was sent, unpacked.
  digest bytea not null,
  newest_at timestamptz not null,
  primary key (source_id, digest)
);

-- Where the program listens for MQTT, such as mqtts://0.0.0.0:8883. null: nowhere, or a version that does not say.
alter table program add column mqtt_urls text[];
