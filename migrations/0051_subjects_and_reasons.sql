-- One word for what is told, and reasons as codes with their facts. Programs of the version before go on writing kinds and
-- sentences: triggers keep both until those columns are dropped.

-- A sentence of the versions before as the code it stands for; one that is not known keeps its text.
create function reason_of_sentence(sentence text) returns jsonb language plpgsql immutable parallel safe as $$
declare
  facts text[];
  plain text := (array['archived', 'no_group', 'nobody_on_duty', 'held_unsteady', 'no_data', 'data_again', 'recovered',
    'somebody_acknowledged', 'stale_again', 'beginning_on_its_way', 'no_longer_acknowledged', 'nothing_to_tell',
    'another_alarm', 'stale_again_meanwhile', 'never_told', 'no_longer_reached', 'group_gone', 'passed',
    'no_step_reached_anybody', 'every_message_failed', 'test', 'drill', 'not_decided'])[
    array_position(array['Archived', 'No notification group', 'Nobody is on duty',
      'Unsteady: told every 30 minutes at most', 'No data comes in', 'Data comes in again', 'Recovered', 'Acknowledged',
      'Stale again', 'The message it ends is still on its way', 'No longer acknowledged', 'Nothing to tell',
      'In another alarm meanwhile', 'Stale again meanwhile', 'Was never told what is over now',
      'No longer reached through the group', 'The group is gone', 'Nobody is on duty: passed at once',
      'No step reached anybody', 'Every message failed', 'Test', 'Drill', 'Not decided yet'], sentence)];
begin
  if plain is not null then return jsonb_build_object('code', plain); end if;
  if sentence = 'Told already' then return '{"code": "told_already", "everyMinutes": 0}'; end if;
  facts := regexp_match(sentence, '^Told already\. Repeats every ([0-9.]+) minutes?$');
  if facts is not null then return jsonb_build_object('code', 'told_already', 'everyMinutes', facts[1]::numeric); end if;
  facts := regexp_match(sentence, '^Repeats every ([0-9.]+) minutes?$');
  if facts is not null then return jsonb_build_object('code', 'repeats', 'everyMinutes', facts[1]::numeric); end if;
  facts := regexp_match(sentence, '^Waits ([0-9.]+) minutes?: (the band''s delay|system_notification_delay_minutes)$');
  if facts is not null then
    return jsonb_build_object('code', 'waits_for_delay', 'minutes', facts[1]::numeric,
      'of', case when facts[2] = 'the band''s delay' then 'band' else 'stale' end);
  end if;
  facts := regexp_match(sentence, '^Waits until ([0-9-]{10}) ([0-9:]{5}) UTC: nobody is on duty$');
  if facts is not null then
    return jsonb_build_object('code', 'waits_for_duty', 'until', facts[1] || 'T' || facts[2] || ':00.000Z');
  end if;
  facts := regexp_match(sentence, '^(send_critical|send_warning|send_recoveries|send_acknowledgements|enable_system_notifications) is off$');
  if facts is not null then
    return jsonb_build_object('code', 'flag_off', 'flag', case facts[1] when 'send_critical' then 'sendCritical'
      when 'send_warning' then 'sendWarning' when 'send_recoveries' then 'sendRecoveries'
      when 'send_acknowledgements' then 'sendAcknowledgements' else 'enableSystemNotifications' end);
  end if;
  facts := regexp_match(sentence, '^Muted by (.*)$');
  if facts is not null then return jsonb_build_object('code', 'muted', 'by', facts[1]); end if;
  facts := regexp_match(sentence, '^In downtime until ([0-9-]{10}) ([0-9:]{5}) UTC, planned by (.*)$');
  if facts is not null then
    return jsonb_build_object('code', 'in_downtime', 'until', facts[1] || 'T' || facts[2] || ':00.000Z', 'by', facts[3]);
  end if;
  facts := regexp_match(sentence, '^Acknowledged at (this|a higher) severity by (.*)$');
  if facts is not null then
    return jsonb_build_object('code', 'acknowledged', 'at', case facts[1] when 'this' then 'this' else 'higher' end,
      'by', facts[2]);
  end if;
  facts := regexp_match(sentence, '^Behind (.*), which is stale too$');
  if facts is not null then return jsonb_build_object('code', 'behind_gateway', 'gateway', facts[1]); end if;
  facts := regexp_match(sentence, '^Unsteady, ([0-9]+) warnings within ([0-9]+) minutes\.$');
  if facts is not null then
    return jsonb_build_object('code', 'unsteady', 'count', facts[1]::int, 'withinMinutes', facts[2]::int);
  end if;
  facts := regexp_match(sentence, '^In alarm: (critical|warning)$');
  if facts is not null then return jsonb_build_object('code', 'in_alarm', 'severity', facts[1]); end if;
  facts := regexp_match(sentence, '^(Escalated|Eased) from (critical|warning) to (critical|warning)$');
  if facts is not null then
    return jsonb_build_object('code', lower(facts[1]), 'from', facts[2], 'to', facts[3]);
  end if;
  facts := regexp_match(sentence, '^Overtaken: now (critical|warning)$');
  if facts is not null then return jsonb_build_object('code', 'overtaken', 'by', facts[1]); end if;
  facts := regexp_match(sentence, '^(Recovered|Data came back) (before it was told|before anybody was told|meanwhile)$');
  if facts is not null then
    return jsonb_build_object('code', case facts[2] when 'meanwhile' then 'over_meanwhile'
        when 'before it was told' then 'end_before_told' else 'end_before_anybody_knew' end,
      'of', case facts[1] when 'Recovered' then 'alarm' else 'stale' end);
  end if;
  facts := regexp_match(sentence, '^Nobody acknowledged within ([0-9.]+) minutes?$');
  if facts is not null then return jsonb_build_object('code', 'nobody_acknowledged', 'minutes', facts[1]::numeric); end if;
  facts := regexp_match(sentence, '^(.*) passed it on by telephone$');
  if facts is not null then return jsonb_build_object('code', 'passed_on', 'by', facts[1], 'how', 'telephone'); end if;
  facts := regexp_match(sentence, '^Step ([0-9]) reached nobody$');
  if facts is not null then return jsonb_build_object('code', 'step_reached_nobody', 'step', facts[1]::int); end if;
  facts := regexp_match(sentence, '^Every message of step ([0-9]) failed$');
  if facts is not null then return jsonb_build_object('code', 'step_failed', 'step', facts[1]::int); end if;
  facts := regexp_match(sentence, '^Nothing arrived within ([0-9]+) minutes of the last step$');
  if facts is not null then return jsonb_build_object('code', 'nothing_arrived', 'minutes', facts[1]::int); end if;
  facts := regexp_match(sentence, '^Drill, step ([0-9])$');
  if facts is not null then return jsonb_build_object('code', 'drill_step', 'step', facts[1]::int); end if;
  return jsonb_build_object('code', 'said', 'text', sentence);
end $$;

alter table notification
  add column subject text check (subject in ('critical', 'warning', 'recovery', 'acknowledgement', 'stale', 'back')),
  add column why jsonb check (jsonb_typeof(why -> 'code') = 'string');
update notification set why = reason_of_sentence(reason),
  subject = case when kind <> 'system' then kind when severity = 'stale' then 'stale' else 'back' end;
alter table step_opened add column why jsonb check (jsonb_typeof(why -> 'code') = 'string');
update step_opened set why = reason_of_sentence(reason);
alter table notification_schedule add column why jsonb;
-- Why a delivery was left out.
alter table delivery add column dropped_why jsonb check (jsonb_typeof(dropped_why -> 'code') = 'string');
update delivery set dropped_why = reason_of_sentence(drop_reason) where drop_reason is not null;

-- Whoever wrote the old word is understood, and whoever writes the new one alone is as well.
create function keep_both_words_of_notification() returns trigger language plpgsql as $$
begin
  if new.subject is null then
    new.subject := case when new.kind <> 'system' then new.kind when new.severity = 'stale' then 'stale' else 'back' end;
  end if;
  if new.kind is null then
    new.kind := case when new.subject in ('stale', 'back') then 'system' else new.subject end;
  end if;
  if new.why is null or (tg_op = 'UPDATE' and new.reason is distinct from old.reason and new.why = old.why) then
    new.why := reason_of_sentence(new.reason);
  elsif tg_op = 'INSERT' or new.why is distinct from old.why then
    new.reason := new.why ->> 'code';
  end if;
  return new;
end $$;
create trigger both_words before insert or update of reason, why on notification
  for each row execute function keep_both_words_of_notification();

create function keep_both_words_of_step() returns trigger language plpgsql as $$
begin
  if new.why is null then new.why := reason_of_sentence(new.reason); else new.reason := new.why ->> 'code'; end if;
  return new;
end $$;
create trigger both_words before insert on step_opened for each row execute function keep_both_words_of_step();

create function keep_both_words_of_delivery() returns trigger language plpgsql as $$
begin
  if new.dropped_why is null then
    new.dropped_why := reason_of_sentence(new.drop_reason);
  else
    new.drop_reason := coalesce(new.drop_reason, new.dropped_why ->> 'code');
  end if;
  return new;
end $$;
create trigger both_words before insert or update of state on delivery for each row when (new.state = 'dropped')
  execute function keep_both_words_of_delivery();

alter table notification add check (subject is not null and why is not null);
alter table step_opened add check (why is not null);
