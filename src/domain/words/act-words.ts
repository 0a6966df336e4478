// What people read after an act on a service, whichever page it was sent from. The interface for programs has its own words.

/** Why an act was not carried out. */
export type ActRefusal = keyof typeof REFUSALS;

const NOT_YOURS = 'This service is not yours to change.';

const REFUSALS = {
  no_such_service: 'This service is not there any more. Nothing was changed.',
  outside_organization: NOT_YOURS,
  no_role: NOT_YOURS,
  invalid_service: NOT_YOURS,
  viewer_only: 'You may look but not act here: ask for the operator role.',
  not_administrator: 'Only administrators of the organization may do this.',
  no_active_alarm: 'There is no alarm to acknowledge: the service has recovered meanwhile.',
  already_acknowledged: 'Somebody has acknowledged this alarm already.',
  not_yours_to_give: 'You have not acknowledged this alarm, so there is nothing to give back.',
  nobody_to_hand_to: 'Choose somebody else who can operate here.',
  no_group_to_tell:
    'No group is chosen for this service, so nobody can be told through it: call them. Nothing was handed over.',
  nothing_offered: 'This alarm is not handed to you, or not any more. Look who has it.',
  nothing_to_remove: 'There is no acknowledgement to remove any more.',
  no_reason_without_end: 'Say why: a mute without an end needs a reason. Nothing was muted.',
  no_reason: 'Say why: a reason is required.',
  unparsable_time: 'This is not a date and time that exists. Choose one from the calendar.',
  end_not_after_start: 'The end has to be after the start.',
  already_over: 'This is over already: the end has to be in the future.',
  no_such_downtime: 'This downtime has ended or was cancelled already.',
  unknown_band: 'There is no such band.',
  no_limits: 'There are no limits for this channel any more.',
  already_pending: 'A recommendation was requested already and is being worked on.',
  no_such_result: 'There is no such recommendation.',
  of_another_service: 'This recommendation belongs to a different service.',
  not_unapplied: 'This recommendation was applied already, or has no result yet.',
  no_bands: 'This recommendation proposes no bands, so there is nothing to apply.',
  unusable_bands: 'This recommendation has no usable list of bands, so it cannot be applied.',
} as const;

/** By the word in the address that a form leads to. */
const DONE = {
  acknowledge: 'The alarm is acknowledged.',
  'cannot-go': 'You gave the alarm back, and others are told of it now.',
  'hand-over': 'They are told now. The alarm stays yours until they take it.',
  'take-over': 'The alarm is yours now.',
  unacknowledge: 'The acknowledgement is removed.',
  mute: 'Muted: nobody is notified until that ends or somebody unmutes it.',
  unmute: 'Unmuted: people are notified again.',
  'schedule-downtime': 'The downtime is scheduled.',
  'cancel-downtime': 'The downtime is cancelled.',
  recommend: 'Requested. The recommendation stands here when it is ready.',
  'apply-recommendation': 'The recommended limits are in force, and the service was judged again.',
  edit: 'The settings are saved, and the service was judged again.',
  'edit-partly':
    'The settings are saved, and the service was judged again. Not saved: a limit of 0 without sustained time and delay, or one that is not a number.',
  assign: 'Adopted. What its device said before came along, and it is watched from now on.',
  clearing: 'Saved. When alarms of this service are over is judged so from the next reading on.',
  'delete-band': 'The band is removed, and the service was judged again.',
} as const;

export interface ActNotice {
  kind: 'done' | 'error';
  text: string;
}

export const sayDone = (act: keyof typeof DONE): ActNotice => ({ kind: 'done', text: DONE[act] });

export const sayRefused = (refusal: ActRefusal): ActNotice => ({ kind: 'error', text: REFUSALS[refusal] });

/** From the address that a form led to; only our own words are shown. */
export function findActNotice({ done, refused }: Record<string, string | undefined>): ActNotice | null {
  if (done !== undefined && Object.hasOwn(DONE, done)) return sayDone(done as keyof typeof DONE);
  return refused !== undefined && Object.hasOwn(REFUSALS, refused) ? sayRefused(refused as ActRefusal) : null;
}
