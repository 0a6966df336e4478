import { readRefusal } from './refusals.ts';

/** By the word in the address that a form leads to. */
const DONE: Record<string, string> = {
  acknowledge: 'The alarm is acknowledged.',
  unacknowledge: 'The acknowledgement is removed.',
  mute: 'Muted: nobody is notified until it is unmuted.',
  unmute: 'Unmuted: people are notified again.',
  'schedule-downtime': 'The downtime is planned.',
  'cancel-downtime': 'The downtime is cancelled.',
  recommend: 'Requested. The recommendation stands here when it is ready.',
  'apply-recommendation': 'The recommended limits are in force, and the service was judged again.',
  edit: 'The settings are saved, and the service was judged again.',
  'edit-partly':
    'The settings are saved, and the service was judged again. Not saved: a limit of 0 without sustained time and delay, or one that is not a number.',
  'delete-band': 'The band is removed, and the service was judged again.',
};

export function findNotice({
  done,
  refused,
}: Record<string, string | undefined>): { kind: 'done' | 'error'; text: string } | null {
  if (done !== undefined && Object.hasOwn(DONE, done)) return { kind: 'done', text: DONE[done] ?? '' };
  const text = readRefusal(refused);
  return text === null ? null : { kind: 'error', text };
}
