-- Why readings of a source were refused, as a code with its facts. null: a program of the version before noted it.
alter table source_refusal add column why jsonb;

update source_refusal set why = coalesce(
  (select jsonb_build_object('code', code) from (values
      ('Unknown service', 'unknown_service'),
      ('The service is archived', 'archived'),
      ('An entry must be an object', 'no_entry'),
      ('An entry names either device or service_id, not both', 'two_targets'),
      ('An entry names a device or a service_id', 'no_target'),
      ('device must be a key in text', 'bad_device'),
      ('service_id must be a whole number', 'bad_service'),
      ('time must be ISO 8601 or epoch milliseconds', 'bad_time'),
      ('time is more than 10 minutes in the future', 'future_time'),
      ('values must be an object of channel names and numbers', 'bad_values'),
      ('the device must be a key in text', 'device_no_text'),
      ('the codec is switched off, for it failed three times in a row', 'codec_off'),
      ('the codec makes nothing of it', 'codec_makes_nothing')) as known (sentence, code)
    where sentence = reason),
  jsonb_build_object('code', 'said', 'text', reason));
