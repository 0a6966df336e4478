-- The one program that follows a broker of MQTT: it says so every second (engine/sources/broker-holds.ts).
create table broker_hold (
  -- The name under which the broker knows it.
  broker text primary key check (btrim(broker) <> ''),
  holder uuid not null,
  said integer not null
);

-- What devices announced for Home Assistant: under which topics their values come (domain/ways-in/home-assistant.ts).
create table source_announcement (
  source_id integer not null references source on delete cascade on update cascade,
  topic text not null,
  body text not null check (octet_length(body) <= 65536),
  primary key (source_id, topic)
);

-- A program may listen for MQTT.
alter table program
  drop constraint program_roles_check,
  add constraint program_roles_check check (roles <@ '{web,mqtt,engine,deliver,advise}');
