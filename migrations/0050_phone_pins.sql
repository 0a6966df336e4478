-- An organization may ask for a PIN beside the code of an SMS or the key in a call.
alter table organization add column phone_pin_required boolean not null default false;

-- argon2id, as of passwords. null: the person has none.
alter table account add column phone_pin_hash text;

-- Wrong PINs in the call that the letter became: each counts once, however often its provider tells of it.
alter table letter add column pin_failures smallint not null default 0;

alter table account_mail drop constraint account_mail_kind_check;
alter table account_mail add constraint account_mail_kind_check
  check (kind in ('activation', 'password_reset', 'password_changed', 'invitation', 'passkey_added', 'contact_off',
    'phone_pin_changed'));
