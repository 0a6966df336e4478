-- A codec that failed again and again is not run any more, until somebody saves the settings of its source.
alter table source
  add column codec_off_at timestamptz,
  add column codec_off_reason text,
  add check ((codec_off_at is null) = (codec_off_reason is null));
