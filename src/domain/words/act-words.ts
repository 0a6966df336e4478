import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';

// What people read after an act on a service, whichever page it was sent from. The interface for programs has its own words.

/** Why an act was not carried out. */
export type ActRefusal = keyof typeof REFUSALS;

const NOT_YOURS = message('This service is not yours to change.');

const REFUSALS = {
  no_such_service: message('This service is not there any more. Nothing was changed.'),
  outside_organization: NOT_YOURS,
  no_role: NOT_YOURS,
  invalid_service: NOT_YOURS,
  viewer_only: message('You may look but not act here: ask for the operator role.'),
  not_administrator: message('Only administrators of the organization may do this.'),
  no_name: message('Give it a name. Nothing was changed.'),
  name_too_long: message('This name is too long. Nothing was changed.'),
  no_active_alarm: message('There is no alarm to acknowledge: the service has recovered meanwhile.'),
  already_acknowledged: message('Somebody has acknowledged this alarm already.'),
  not_yours_to_give: message('You have not acknowledged this alarm, so there is nothing to give back.'),
  nobody_to_hand_to: message('Choose somebody else who can operate here.'),
  no_group_to_tell: message(
    'No group is chosen for this service, so nobody can be notified through it: call them. Nothing was handed over.',
  ),
  nothing_offered: message('This alarm is not handed to you, or not any more. Look who has it.'),
  offered_too_often: message(
    'This alarm was handed over ten times within an hour. Call somebody. Nothing was handed over.',
  ),
  reserved_already: message('Room is reserved there for this unit already.'),
  refuge_taken: message('Somebody else has taken that room, or it is not well any more. Choose another one.'),
  no_drill_day: message('Give the day of the drill: today, or one before.'),
  remarks_too_long: message('The remarks are too long. Nothing was kept.'),
  no_reservation: message('This reservation has ended already.'),
  nothing_to_remove: message('There is no acknowledgement to remove any more.'),
  no_reason_without_end: message('Say why: a mute without an end needs a reason. Nothing was muted.'),
  no_reason: message('Say why: a reason is required.'),
  unparsable_time: message('This is not a date and time that exists. Write it like 2026-11-15 02:00.'),
  end_not_after_start: message('The end has to be after the start.'),
  already_over: message('This is over already: the end has to be in the future.'),
  no_such_note: message('This note is not there any more.'),
  not_your_note: message('Only who wrote this note may change it, and administrators.'),
  no_such_downtime: message('This downtime has ended or was cancelled already.'),
  unknown_band: message('There is no such band.'),
  no_limits: message('There are no limits for this channel any more.'),
  already_pending: message('A recommendation was requested already and is being worked on.'),
  no_such_result: message('There is no such recommendation.'),
  of_another_service: message('This recommendation belongs to a different service.'),
  not_unapplied: message('This recommendation was applied already, or has no result yet.'),
  no_bands: message('This recommendation proposes no bands, so there is nothing to apply.'),
  unusable_bands: message('This recommendation has no usable list of bands, so it cannot be applied.'),
} as const;

/** By the word in the address that a form leads to. */
const DONE = {
  acknowledge: message('The alarm is acknowledged.'),
  'cannot-go': message('You gave the alarm back. “Who was notified” says who hears of it now.'),
  'hand-over': message('They are notified now. The alarm stays yours until they take it.'),
  'take-over': message('The alarm is yours now.'),
  'reserve-refuge': message('Reserved for a week. The alarm is yours, with where its contents go.'),
  'reserve-refuge-alone': message(
    'Reserved for a week. Who has the alarm, and what they wrote, stays as it was.',
  ),
  'release-refuge': message('The room is free again.'),
  'moved-in': message('Moved in. The refuge has so many free racks less.'),
  'back-again': message('Back again. The refuge has so many free racks more.'),
  'keep-drill': message('The drill is kept.'),
  'undo-moved-in': message('Taken back: the room is reserved as before.'),
  'undo-back-again': message('Taken back: it counts as moved in.'),
  rescue: message('Saved. The rescue plan counts with it from now on.'),
  unacknowledge: message('The acknowledgement is removed.'),
  mute: message('Muted: nobody is notified until that ends or somebody unmutes it.'),
  unmute: message('Unmuted: people are notified again.'),
  'pin-note': message('The note is pinned to the chart.'),
  'change-note': message('The note is changed.'),
  'remove-note': message('The note is removed.'),
  'schedule-downtime': message('The downtime is scheduled.'),
  'cancel-downtime': message('The downtime is cancelled.'),
  recommend: message('Requested. The recommendation stands here when it is ready.'),
  'apply-recommendation': message('The recommended limits are in force, and the service was judged again.'),
  edit: message('The settings are saved, and the service was judged again.'),
  'edit-partly': message(
    'The settings are saved, and the service was judged again. Not saved: a limit of 0 without sustained time and delay, or one that is not a number.',
  ),
  assign: message('Adopted. What its device said before came along, and it is watched from now on.'),
  clearing: message('Saved. When alarms of this service are over is judged so from the next reading on.'),
  'what-to-do': message('Saved. It stands on the alarm and in messages from now on.'),
  rename: message('The name is saved. Acknowledgements and limits stay as they were.'),
  'delete-band': message('The band is removed, and the service was judged again.'),
} as const;

export interface ActNotice {
  kind: 'done' | 'error';
  text: string;
}

export const sayDone = (act: keyof typeof DONE, { say }: Language): ActNotice => ({
  kind: 'done',
  text: say(DONE[act]),
});

export const sayRefused = (refusal: ActRefusal, { say }: Language): ActNotice => ({
  kind: 'error',
  text: say(REFUSALS[refusal]),
});

/** From the address that a form led to; only our own words are shown. */
export function findActNotice(
  { done, refused }: Record<string, string | undefined>,
  language: Language,
): ActNotice | null {
  if (done !== undefined && Object.hasOwn(DONE, done)) return sayDone(done as keyof typeof DONE, language);
  return refused !== undefined && Object.hasOwn(REFUSALS, refused)
    ? sayRefused(refused as ActRefusal, language)
    : null;
}
