import { describe, expect, test } from 'vitest';
import { digestOf, letterOf, NOTICES, type Told } from '../../../../test/support/notices.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import type { Letter } from '../../letters/letter.ts';
import { composeMail, writeLetter } from './compose-mail.ts';
import type { EmailRecipient } from './recipient.ts';
import { zoneOf } from './say-times.ts';

const VERA: EmailRecipient = {
  address: 'vera@lab.example',
  account: { name: 'Vera', timeZone: 'Europe/Berlin' },
};
const PLAIN: EmailRecipient = { address: 'cold@lab.example', account: null };
const now = new Date('2026-11-15T02:20:30Z');
const draw = () => Buffer.from('picture');
const compose = (letter: Letter, recipient = VERA, at = now) => {
  const { body, ...mail } = composeMail(letter, recipient, writeLetter(letter, zoneOf(recipient), draw, at));
  return { ...mail, ...body };
};
const mailOf = (notice: Notice, recipient = VERA) => compose(letterOf(notice), recipient);

describe('the subject says it all', () => {
  const alarm = 'Temperature −55.2 °C is above the critical limit of −60 °C';
  test.each<[Told, string]>([
    ['critical', `CRITICAL Freezer 3 (Room 101): ${alarm}`],
    ['warning', 'WARNING Freezer 3 (Room 101): Temperature −65 °C is above the warning limit of −70 °C'],
    ['repeat', `STILL CRITICAL Freezer 3 (Room 101): ${alarm}`],
    ['acknowledgement', `ACKNOWLEDGED Freezer 3 (Room 101) by Oscar: ${alarm}`],
    ['recovery', 'RECOVERED Freezer 3 (Room 101): Back to normal'],
    ['stale', 'NO DATA Freezer 3 (Room 101): No data for 20 minutes'],
    ['back', 'DATA IS BACK Freezer 3 (Room 101): Data comes in again'],
    ['test', 'TEST Freezer 3 (Room 101): Sent by Ada'],
    ['drill', `DRILL: CRITICAL Freezer 3 (Room 101): ${alarm}`],
  ])('%s', (told, subject) => expect(mailOf(NOTICES[told]).subject).toBe(subject));

  test('of a digest', () => {
    const { critical, warning, recovery } = NOTICES;
    const subjectOf = (...notices: [Notice, ...Notice[]]) => compose(letterOf(...notices)).subject;
    expect(subjectOf(critical, critical, warning)).toBe('3 alarms in Cold team: 2 critical, 1 warning');
    expect(subjectOf(critical, recovery)).toBe('2 messages in Cold team: 1 critical, 1 recovered');
  });

  test('and ends in time', () => {
    const { subject } = mailOf({ ...NOTICES.critical, said: '❄️'.repeat(500) });
    expect([...subject]).toHaveLength(200);
    expect(subject).toMatch(/…$/);
  });
});

describe('times are those of the reader', () => {
  const SINCE = {
    berlin: '15 Nov 03:00 (20 minutes ago)',
    utc: '15 Nov 02:00 (20 minutes ago)',
  };
  test.each<[string, EmailRecipient, string, string]>([
    ['of an account, in its zone', VERA, SINCE.berlin, 'Times are in Europe/Berlin.'],
    ['of a plain address, in UTC', PLAIN, SINCE.utc, 'Times are in UTC.'],
    [
      'of a zone that does not exist, in UTC',
      { ...VERA, account: { name: 'Vera', timeZone: 'Mars/Crater' } },
      SINCE.utc,
      'Times are in UTC.',
    ],
  ])('%s', (_, recipient, since, zone) => {
    const { text, html } = mailOf(NOTICES.critical, recipient);
    for (const part of [text, html]) {
      expect(part).toContain(since);
      expect(part).toContain(zone);
    }
    expect(text.match(/Berlin|UTC/g)).toHaveLength(1);
  });

  test.each([
    ['alone', letterOf(NOTICES.stale)],
    ['in a digest', letterOf(NOTICES.stale, NOTICES.stale)],
  ])('also inside the sentence about a stale service, %s', (_, letter) => {
    const { text, html } = compose(letter);
    expect(text).toContain('No data since 15 Nov 03:00\n');
    expect(html).toContain('No data since 15 Nov 03:00<');
    expect(text + html).not.toContain('UTC');
  });
});

describe('what can be pressed', () => {
  test('an alarm has its button and its page, in text and HTML', () => {
    const { text, html } = mailOf(NOTICES.critical);
    for (const part of [text, html]) {
      expect(part).toContain('https://tocsin.lab.example/acknowledge/long-random-path');
      expect(part).toContain('https://tocsin.lab.example/services/7');
    }
    expect(html).toContain('>Acknowledge</a>');
  });

  test('what is over has no button', () => {
    const { text, html } = mailOf(NOTICES.recovery);
    expect(text + html).not.toContain('Acknowledge');
  });

  const RECEIPT = 'https://tocsin.lab.example/receipt/1001/proof';
  const isAskedIn = (...notices: [Notice, ...Notice[]]) => {
    const { text, html } = compose({ ...letterOf(...notices), receiptUrl: RECEIPT });
    expect(text.includes(`:\n${RECEIPT}\n\n`)).toBe(html.includes(`href="${RECEIPT}"`));
    return text.includes(RECEIPT);
  };
  test.each<[Told, boolean]>([
    ['critical', true],
    ['warning', true],
    ['repeat', true],
    ['acknowledgement', false],
    ['recovery', false],
    ['stale', true],
    ['back', false],
    ['test', false],
    ['drill', true],
  ])('where a receipt is asked for, a mail that tells an alarm has its link: %s', (told, isAsked) => {
    expect(isAskedIn(NOTICES[told])).toBe(isAsked);
  });

  test('so has a digest with an alarm in it', () => {
    expect(isAskedIn(NOTICES.recovery, NOTICES.warning)).toBe(true);
    expect(isAskedIn(NOTICES.recovery, NOTICES.back)).toBe(false);
  });

  test('who acknowledged, when, and why is told', () => {
    const { text } = mailOf(NOTICES.acknowledgement);
    expect(text).toMatch(/^Acknowledged by: Oscar$/m);
    expect(text).toMatch(/^Comment: +On my way$/m);
    expect(text).toMatch(/^Acknowledged: +15 Nov 03:05 \(15 minutes ago\)$/m);
  });
});

describe('a digest', () => {
  test('lists fifty, worst first, and counts the rest', () => {
    const { text, html } = compose(digestOf(500));
    expect(text.match(/^(CRITICAL|WARNING|NO DATA): Freezer/gm)).toHaveLength(50);
    expect(text).toContain('CRITICAL: Freezer 1 (Room 101)');
    for (const part of [text, html]) {
      expect(part).toContain('and 450 more');
      expect(part).toContain('https://tocsin.lab.example/services/50');
      expect(part).not.toContain('/services/51');
    }
    expect(html).toContain('href="https://tocsin.lab.example/"');
  });

  test('leads to the alarms, also below a path', () => {
    const alarmsUrl = 'https://lab.example/tocsin/';
    const { text, html } = compose(letterOf({ ...NOTICES.critical, alarmsUrl }, NOTICES.warning));
    expect(text).toContain(`See all alarms:\n${alarmsUrl}\n`);
    expect(html).toContain(`href="${alarmsUrl}"`);
  });

  test('that is short counts nothing', () => {
    expect(compose(digestOf(7)).text).not.toContain(' more');
  });

  test('has no pictures', () => {
    expect(compose(digestOf(7)).pictures).toEqual([]);
  });
});

test('nothing that somebody typed becomes markup', () => {
  const evil = '<img src=x onerror=alert(1)>"&\'';
  const { html } = mailOf({
    ...NOTICES.acknowledgement,
    serviceName: evil,
    said: evil,
    comment: evil,
    locationName: evil,
    groupName: evil,
    acknowledgedBy: evil,
  });
  expect(html).not.toContain('<img');
  expect(html).not.toMatch(/<script/i);
});

test('a mail loads nothing from anywhere', () => {
  const { html } = mailOf(NOTICES.critical);
  expect(html.match(/(?:src|url)\s*[=(]\s*["']?[^"')\s]*/g) ?? []).toEqual([]);
});

describe('mails can be told apart, and belong together', () => {
  const { critical, recovery, stale } = NOTICES;
  test('the same letter has the same id over retries, another one another', () => {
    const letter = letterOf(critical);
    const idOf = (changes: object) => compose({ ...letter, ...changes }).id;
    expect(compose(letter, VERA, new Date(now.getTime() + 5000)).id).toBe(idOf({}));
    expect(idOf({ id: '1002' })).not.toBe(idOf({}));
    // Of a database that was set up anew.
    expect(idOf({ createdAt: now })).not.toBe(idOf({}));
  });

  test('an episode is one thread, the next one another', () => {
    expect(mailOf(recovery).threadId).toBe(mailOf(critical).threadId);
    expect(mailOf({ ...critical, episodeId: '43' }).threadId).not.toBe(mailOf(critical).threadId);
    expect(mailOf(stale).threadId).not.toBe(mailOf(critical).threadId);
  });

  test('only critical ones are urgent, and tests never', () => {
    expect(mailOf(critical).isUrgent).toBe(true);
    expect(mailOf(NOTICES.drill).isUrgent).toBe(true);
    expect(mailOf(NOTICES.warning).isUrgent).toBe(false);
    expect(mailOf(NOTICES.test).isUrgent).toBe(false);
  });
});
