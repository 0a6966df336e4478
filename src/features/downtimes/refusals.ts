// What is answered when a window cannot be scheduled or cancelled, on pages as by the HTTP interface.
import { message } from '../../domain/language/message.ts';
import type { CancelRefusal } from '../../engine/acts/cancel-downtime.ts';
import type { ScheduleRefusal } from '../../engine/acts/schedule-downtime.ts';

type Answer = readonly [status: number, detail: string];

/** Contract, Downtimes. */
export const SCHEDULE_ANSWERS = {
  no_role: [403, message('Not authorized')],
  invalid_service: [400, message('Invalid service')],
  no_such_service: [403, message('You do not have permission to schedule downtime for this service')],
  outside_organization: [403, message('You do not have permission to schedule downtime for this service')],
  viewer_only: [403, message('Operator role or higher required to schedule downtime')],
  no_reason: [400, message('Reason is required')],
  unparsable_time: [400, message('Invalid datetime format. Use datetime-local format.')],
  end_not_after_start: [400, message('End time must be after the start time')],
  already_over: [400, message('Downtime window is in the past (its end time has already passed)')],
} as const satisfies Record<ScheduleRefusal, Answer>;

export const CANCEL_ANSWERS = {
  no_role: [403, message('Not authorized')],
  no_such_downtime: [404, message('Downtime not found or not authorized')],
  no_such_service: [404, message('Downtime not found or not authorized')],
  outside_organization: [404, message('Downtime not found or not authorized')],
  viewer_only: [403, message('Operator role or higher required to cancel downtime')],
} as const satisfies Record<CancelRefusal, Answer>;
