/** Why a verb of the page was not carried out. */
export type VerbRefusal =
  | 'no_such_service'
  | 'outside_organization'
  | 'viewer_only'
  | 'not_administrator'
  | 'no_role'
  | 'no_active_alarm'
  | 'already_acknowledged'
  | 'nothing_to_remove'
  | 'invalid_service'
  | 'no_reason'
  | 'unparsable_time'
  | 'end_not_after_start'
  | 'already_over'
  | 'no_such_downtime'
  | 'unknown_band'
  | 'no_limits'
  | 'already_pending'
  | 'no_such_result'
  | 'of_another_service'
  | 'not_unapplied'
  | 'no_bands'
  | 'unusable_bands';

const NOT_YOURS = 'This service is not yours to change.';

/** In words for people; the interface for programs has its own. */
export const REFUSALS: Record<VerbRefusal, string> = {
  no_such_service: 'This service is not there any more. Nothing was changed.',
  outside_organization: NOT_YOURS,
  no_role: NOT_YOURS,
  invalid_service: NOT_YOURS,
  viewer_only: 'You may look but not act here: ask for the operator role.',
  not_administrator: 'Only administrators of the organization may do this.',
  no_active_alarm: 'There is no alarm to acknowledge: the service has recovered meanwhile.',
  already_acknowledged: 'Somebody has acknowledged this alarm already.',
  nothing_to_remove: 'There is no acknowledgement to remove any more.',
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
};

export const readRefusal = (word: string | undefined): string | null =>
  word !== undefined && Object.hasOwn(REFUSALS, word) ? REFUSALS[word as VerbRefusal] : null;
