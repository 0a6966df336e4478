// What is answered when a window cannot be scheduled or cancelled, on pages as by the HTTP interface.
import type { CancelRefusal } from '../../engine/acts/cancel-downtime.ts';
import type { ScheduleRefusal } from '../../engine/acts/schedule-downtime.ts';

/** Contract, Downtimes. */
export const SCHEDULE_ANSWERS: Record<ScheduleRefusal, [status: number, detail: string]> = {
  no_role: [403, 'Not authorized'],
  invalid_service: [400, 'Invalid service'],
  no_such_service: [403, 'You do not have permission to schedule downtime for this service'],
  outside_organization: [403, 'You do not have permission to schedule downtime for this service'],
  viewer_only: [403, 'Operator role or higher required to schedule downtime'],
  no_reason: [400, 'Reason is required'],
  unparsable_time: [400, 'Invalid datetime format. Use datetime-local format.'],
  end_not_after_start: [400, 'End time must be after the start time'],
  already_over: [400, 'Downtime window is in the past (its end time has already passed)'],
};

export const CANCEL_ANSWERS: Record<CancelRefusal, [status: number, detail: string]> = {
  no_role: [403, 'Not authorized'],
  no_such_downtime: [404, 'Downtime not found or not authorized'],
  no_such_service: [404, 'Downtime not found or not authorized'],
  outside_organization: [404, 'Downtime not found or not authorized'],
  viewer_only: [403, 'Operator role or higher required to cancel downtime'],
};
