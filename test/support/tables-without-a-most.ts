// Every table that has no most of its own (src/domain/mosts.ts), with what bounds it instead.

/** So many rows of a row that is counted. */
export const FOLLOWS: Record<string, string> = {
  alarm_state: 'one of each service',
  notification_schedule: 'one of each service',
  service_search: 'one of each service',
  service_settings: 'one of each service',
  first_steps: 'one of each organization',
  guidance: 'one of each service and location, and of each template that there is',
  episode_day: 'one of each organization and day with alarms',
  journal_packed: 'one of each organization',
  rescue: 'one of each service',
  source_catch_up: 'one of each source',
  reading_usage: 'one of each organization and month',
  limits_band: 'four of each version of limits',
  account: 'one of each member and invitation; unproved_mail bounds how fast they come',
  drill_climb: 'one of each drill that is under way',
};

/** Grows with time; who takes it away again stands beside it. */
export const CLEANED: Record<string, string> = {
  act_on_many: 'the next one of anybody takes away what is older than ten minutes',
  account_link: 'forgetOldAccountMail, and its expiry',
  account_mail: 'forgetOldAccountMail; three to an account in an hour',
  acknowledge_link: 'forgetTold',
  alarm_list_change: 'forgetListChanges keeps a hundred',
  answer_taken: 'forgetAnswers, after a week',
  contact_code: 'forgetContactCodes; five in an hour',
  delivery: 'forgetTold',
  door_arrival: 'forgetArrivals, after a day; one of each service in five minutes',
  episode_day_mark: 'the packer of days, every minute; those of today and yesterday stay',
  hand_over: 'forgetTold',
  letter: 'forgetTold',
  look_again: 'whoever decides takes it away, every second',
  notification: 'forgetTold',
  pass_on: 'forgetTold',
  reading_damage: 'dropExpiredMonths, deleteExpiredPacks',
  reading_inbox: 'the packer, every five seconds',
  reading_pack: 'dropExpiredMonths, deleteExpiredPacks: the retention of the organization',
  reminder: 'forgetReminders',
  device_session: '20 an account (endOldest), and forgetDevices',
  session: 'forgetSessions, when its token has expired; sign-ins are throttled',
  step_opened: 'forgetTold',
  unproved_mail: 'an hour; fifty of an organization',
};

/** The record of what happened: kept for good, one row for each time, and never read without an end. */
export const RECORDS: Record<string, string> = {
  acknowledgement: 'one for each alarm that somebody took; two at a time of a service',
  alarm_event: 'one for each change of a service',
  audit: 'one for each act',
  episode: 'one for each alarm',
  drill: 'one for each that somebody started',
  limits_version: 'one for each edit that changed limits',
  past_membership: 'one for each who left',
  recommendation: 'one at a time of a service',
  rescue_drill: 'an organization keeps the last thousand',
  rescue_reservation: 'one for each room that somebody took, of those that are free',
};

/** Of the installation. No tenant makes a row in them. */
export const HOUSE: Record<string, string> = {
  act: 'forgetActs, after a day',
  answered_challenge: 'forgetAnsweredChallenges',
  broker_hold: 'one of each broker of the configuration',
  delivery_setting: 'one of each setting',
  demonstration: 'one',
  instance_secret: 'one of each secret',
  organization: 'made by keepers',
  packed_entry: 'the packer, with its entries',
  password_reset_request: 'forgetOldAccountMail; twenty of an address in an hour',
  program: 'one of each program that runs',
  program_end: 'one of each time a program was ended',
  set_aside: 'one of each item that ended the program twice',
  provider_poll: 'one of each provider',
  reading_month: 'one of each month',
  schema_migration: 'one of each migration',
  setup_code: 'gone with the first account',
  sign_in_budget: 'forgetOldFailures',
  sign_in_throttle: 'forgetOldFailures',
};
