// The shapes of the contract's alarm resources, for documentation and serialisation.
import { Type } from 'typebox';
import { OperationFailed } from '../../engine/requests/silent-failure.ts';
import { orNull, wordOf } from '../../platform/http/schemas.ts';

const Timestamp = Type.String({ format: 'date-time' });
const MaybeTimestamp = orNull(Timestamp);
const MaybeText = orNull(Type.String());

export const ActiveAlarmEntry = Type.Object({
  id: Type.Integer({ description: 'Equals `service_id`' }),
  service_id: Type.Integer(),
  service_name: Type.String(),
  channel: orNull(Type.String({ description: 'Raw name of the channel that is alarming' })),
  channel_label: MaybeText,
  location_name: MaybeText,
  severity: wordOf('critical', 'warning', 'stale'),
  message: Type.String({ description: 'Summary for people; a time in it is UTC' }),
  triggered_at: Type.String({
    format: 'date-time',
    description: 'When the current severity began, or when the data went stale',
  }),
  acknowledged: Type.Boolean({
    description: 'Reflects the most recent active acknowledgement, of any severity',
  }),
  acknowledged_by: MaybeText,
  acknowledged_at: MaybeTimestamp,
  is_stale: Type.Boolean(),
  last_telemetry_time: MaybeTimestamp,
  stale_since: MaybeTimestamp,
  can_operate: Type.Boolean({ description: 'Whether you may acknowledge, mute and schedule downtime here' }),
});

export const AcknowledgementResult = Type.Object({
  id: Type.Integer({ description: 'Of the acknowledgement, not of the service' }),
  service_id: Type.Integer(),
  service_name: Type.String({ description: 'Always `Service <service_id>`' }),
  severity: Type.Literal('acknowledged'),
  message: Type.String({ description: 'The comment, or `Acknowledged`' }),
  triggered_at: Type.String({ format: 'date-time', description: 'Time of the request' }),
  acknowledged: Type.Literal(true),
  acknowledged_by: Type.String({ description: 'Your name' }),
  acknowledged_at: Timestamp,
  acknowledged_severity: wordOf('CRITICAL', 'WARNING'),
});

export const UnacknowledgeResult = Type.Union([
  Type.Object({ status: Type.Literal('unacknowledged'), service_id: Type.Integer() }),
  OperationFailed,
]);
