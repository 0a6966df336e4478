-- Whether a probe measures is a state beside the channel it should measure: 1, it does not.
alter table channel add column fault_of text check (fault_of <> '');

-- Such a channel comes with limits that nobody has chosen yet.
alter table limits_version
  drop constraint limits_version_origin_check,
  add constraint limits_version_origin_check
    check (origin in ('edit', 'recommendation', 'band_delete', 'lab_file', 'preset'));
