-- What providers do not tell by themselves is asked for, by one program at a time.
create table provider_poll (
  kind text primary key check (kind in ('pushover', 'telegram', 'twilio')),
  -- Whoever holds it asks; one that did not finish by then is taken for gone.
  leased_until timestamptz not null,
  -- The provider asked for a pause.
  not_before timestamptz,
  -- Of Telegram: the first update that was not taken yet.
  position bigint
);

-- When to ask next what became of a message. null: not asked yet; infinity: there is nothing more to learn.
alter table delivery add column receipt_ask_at timestamptz;
