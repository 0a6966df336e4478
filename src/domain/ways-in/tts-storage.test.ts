import { expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { askStored, readStoredPage } from './tts-storage.ts';

const AT = '2026-11-15T03:00:00.123456789Z';
const line = (message: object) => JSON.stringify({ result: message });

test.each<[string, string, number, string | null]>([
  ['nothing', '', 0, null],
  [
    'messages, between empty lines',
    `${line({ received_at: AT })}\n\n${line({ received_at: AT, uplink_message: {} })}\n`,
    2,
    null,
  ],
  ['a line that breaks off', `${line({ received_at: AT })}\n{"result":{"recei`, 1, null],
  ['one without a time', line({ uplink_message: {} }), 0, null],
  ['the form of server-sent events', `data: ${line({ received_at: AT })}\n`, 1, null],
  [
    'an error',
    `${line({ received_at: AT })}\n{"error":{"code":8,"message":"rate exceeded"}}`,
    1,
    'rate exceeded',
  ],
  ['an error without words', '{"error":true}', 0, 'it broke off'],
  ['what is no JSON', '<html>', 0, null],
])('%s', (_, text, messages, error) => {
  const { value: page } = finish(readStoredPage(text));
  expect([page.messages.length, page.error]).toEqual([messages, error]);
});

test('a message is what a webhook would have brought', () => {
  const message = { end_device_ids: { dev_eui: 'AA' }, received_at: AT, uplink_message: { f_port: 1 } };
  expect(finish(readStoredPage(line(message))).value.messages).toEqual([
    { text: JSON.stringify(message), receivedAt: Date.parse('2026-11-15T03:00:00.123Z') },
  ]);
});

test('it is asked for the oldest first', () => {
  const storage = { url: 'https://eu1.cloud.thethings.network', application: 'cold/room', key: 'k' };
  expect(String(askStored(storage, new Date(0)))).toBe(
    'https://eu1.cloud.thethings.network/api/v3/as/applications/cold%2Froom/packages/storage/uplink_message' +
      '?after=1970-01-01T00%3A00%3A00.000Z&order=received_at&limit=100',
  );
});

test('a page of far more lines than were asked for ends there', () => {
  const { value: page } = finish(readStoredPage(`${line({ received_at: AT })}\n${'{}\n'.repeat(5_000)}`));
  expect(page).toMatchObject({ messages: [{}], error: 'it sent more than 1000 lines' });
});
