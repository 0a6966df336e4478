import { describe, expect, test } from 'vitest';
import { addNotice, isAboutWho } from './kept-page.ts';

test.each([
  ['/login', true],
  ['/login/passkey', true],
  ['/api/v1/auth/logout', true],
  ['/profile/sessions/7', true],
  ['/profile', false],
  ['/', false],
  ['/services/7', false],
])('%s: the page that is kept is dropped: %s', (pathname, isDropped) =>
  expect(isAboutWho(pathname)).toBe(isDropped),
);

describe('a page that is shown without a network', () => {
  const notice = (age: string) =>
    `<p class="notice notice-error" role="alert">No connection. This is how it stood at 09:30, ${age} ago. Nothing here can be trusted to be so still.</p>`;

  test.each([
    [29_000, 'less than a minute'],
    [31_000, '1 minute'],
    [89_000, '1 minute'],
    [91_000, '2 minutes'],
    [3 * 3_600_000, '180 minutes'],
  ])('%d ms old says so in words: %s', (ageMs, age) =>
    expect(addNotice('<p>All is well</p>', { ageMs, time: '09:30' })).toBe(
      `${notice(age)}<p>All is well</p>`,
    ),
  );

  test('says it before all else that the page says', () => {
    const page = '<body><nav></nav><main id="content" class="wide"><h1>Alarms</h1></main></body>';
    expect(addNotice(page, { ageMs: 60_000, time: '09:30' })).toBe(
      `<body><nav></nav><main id="content" class="wide">${notice('1 minute')}<h1>Alarms</h1></main></body>`,
    );
  });
});
