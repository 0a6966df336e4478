// What people read: Slack, Teams, Discord, ntfy.
import { describe, expect, test } from 'vitest';
import { digestOf, letterOf, NOTICES, PUBLIC_URL, type Told } from '../../../../../test/support/notices.ts';
import type { Letter } from '../../../letters/letter.ts';
import { kindNamed, type WebhookKind } from '../kinds.ts';

const context = { publicUrl: PUBLIC_URL, now: new Date('2026-11-15T02:05:01Z') };

function shape(
  kind: WebhookKind,
  letter: Letter,
  url = 'https://hooks.example/cold-team',
  secret: string | null = null,
) {
  const [post] = kindNamed(kind).shape(letter, { url, secret }, context);
  return { url: post?.url.href, headers: post?.headers, body: JSON.parse(post?.body ?? '') };
}

const SERVICE = `${PUBLIC_URL}/services/7`;
const ACKNOWLEDGE = `${PUBLIC_URL}/acknowledge/long-random-path`;

describe('Slack', () => {
  test('a critical alarm: header, message, facts, two buttons, red', () => {
    const button = (text: string, url: string) => ({
      type: 'button',
      text: { type: 'plain_text', text },
      url,
    });
    const field = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
    expect(shape('slack', letterOf(NOTICES.critical)).body).toEqual({
      text: '[CRITICAL] Freezer 3 (Room 101): Temperature −55.2 °C is above the critical limit of −60 °C',
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: '[CRITICAL] Freezer 3 (Room 101)', emoji: false },
        },
      ],
      attachments: [
        {
          color: '#d92d20',
          blocks: [
            {
              type: 'section',
              text: {
                type: 'plain_text',
                text: 'Temperature −55.2 °C is above the critical limit of −60 °C',
                emoji: false,
              },
            },
            {
              type: 'section',
              fields: [
                field('*Location*\nRoom 101'),
                field('*Since*\n<!date^1794708000^{date_short_pretty} {time}|2026-11-15 02:00 UTC>'),
                field('*Organization*\nCell Biology'),
              ],
            },
            { type: 'actions', elements: [button('Open', SERVICE), button('Acknowledge', ACKNOWLEDGE)] },
          ],
        },
      ],
    });
  });

  test('what people typed is no link and calls nobody', () => {
    const { body } = shape(
      'slack',
      letterOf({ ...NOTICES.acknowledgement, comment: '<!channel> R&D <https://x|y>' }),
    );
    expect(JSON.stringify(body)).toContain('*Comment*\\n&lt;!channel&gt; R&amp;D &lt;https://x|y&gt;');
    expect(JSON.stringify(body)).not.toContain('<!channel>');
  });

  test('a digest lists the worst twenty', () => {
    const { body } = shape('slack', digestOf(500));
    expect(body.text).toBe('Cold team: 500 messages (300 critical, 150 warning, 50 without data)');
    const lines = body.attachments[0].blocks[0].text.text.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe(
      `• <${PUBLIC_URL}/services/1|[CRITICAL] Freezer 1 (Room 101)>: Temperature −55.2 °C is above the critical limit of −60 °C`,
    );
    expect(lines[20]).toBe('and 480 more');
  });
});

describe('Teams', () => {
  test('an acknowledgement says who and why, and has nothing left to acknowledge', () => {
    const { content } = shape('teams', letterOf(NOTICES.acknowledgement)).body.attachments[0];
    expect(content.body).toEqual([
      {
        type: 'TextBlock',
        text: '[ACKNOWLEDGED] Freezer 3 (Room 101)',
        weight: 'Bolder',
        size: 'Medium',
        color: 'Accent',
        wrap: true,
      },
      { type: 'TextBlock', text: NOTICES.acknowledgement.said, wrap: true },
      {
        type: 'FactSet',
        facts: [
          { title: 'Location', value: 'Room 101' },
          { title: 'Since', value: '2026-11-15 02:00 UTC' },
          { title: 'Acknowledged by', value: 'Oscar' },
          { title: 'Comment', value: 'On my way' },
          { title: 'Organization', value: 'Cell Biology' },
        ],
      },
    ]);
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url: SERVICE }]);
  });

  test('a digest lists the worst twenty, and opens Tocsin', () => {
    const { content } = shape('teams', digestOf(500)).body.attachments[0];
    expect(content.body).toHaveLength(22);
    expect(content.body[21].text).toBe('and 480 more');
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open Tocsin', url: PUBLIC_URL }]);
  });

  test('a link that somebody typed stays text', () => {
    const { body } = shape('teams', letterOf({ ...NOTICES.critical, said: '[free samples](https://x)' }));
    expect(JSON.stringify(body)).toContain('[free samples] (https://x)');
  });
});

describe('Discord', () => {
  test('a recovery: title for the phone, embed, no mentions', () => {
    const { url, body } = shape(
      'discord',
      letterOf(NOTICES.recovery),
      'https://discord.example/api/webhooks/1/t?thread_id=9',
    );
    expect(url).toBe('https://discord.example/api/webhooks/1/t?thread_id=9&wait=true');
    expect(body).toEqual({
      username: 'Tocsin',
      content: '\\[RECOVERED\\] Freezer 3 (Room 101)',
      embeds: [
        {
          title: 'Freezer 3',
          url: SERVICE,
          description: 'Back to normal',
          color: 0x12b76a,
          timestamp: '2026-11-15T02:05:00.000Z',
          fields: [
            { name: 'Location', value: 'Room 101', inline: true },
            { name: 'Since', value: '<t:1794708000:f>', inline: true },
            { name: 'Organization', value: 'Cell Biology', inline: true },
          ],
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  test('what can be acknowledged has a link for it', () => {
    const { body } = shape('discord', letterOf(NOTICES.warning));
    expect(body.embeds[0].description).toBe(`${NOTICES.warning.said}\n[Acknowledge](${ACKNOWLEDGE})`);
  });

  test('a digest lists the worst twenty', () => {
    const lines = shape('discord', digestOf(500)).body.embeds[0].description.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^\\\[CRITICAL\\\] Freezer 1 \(Room 101\): Temperature/);
    expect(lines[20]).toBe('and 480 more');
  });
});

describe('ntfy', () => {
  test('a drill sounds like the real thing and says that it is none', () => {
    const { url, headers, body } = shape(
      'ntfy',
      letterOf(NOTICES.drill),
      'https://ntfy.sh/cold-team',
      'tk_geheim',
    );
    expect(url).toBe('https://ntfy.sh/');
    expect(headers?.authorization).toBe('Bearer tk_geheim');
    expect(body).toEqual({
      topic: 'cold-team',
      title: '[DRILL] [CRITICAL] Freezer 3 (Room 101)',
      message: [
        'This is a drill, not a real alarm. Temperature −55.2 °C is above the critical limit of −60 °C',
        'Location: Room 101',
        'Since: 2026-11-15 02:00 UTC',
        'Organization: Cell Biology',
      ].join('\n'),
      tags: ['rotating_light', 'drill'],
      priority: 5,
      click: SERVICE,
      actions: [
        { action: 'view', label: 'Open', url: SERVICE },
        { action: 'view', label: 'Acknowledge', url: ACKNOWLEDGE },
      ],
    });
  });

  test.each<[Told, number]>([
    ['critical', 5],
    ['repeat', 5],
    ['warning', 4],
    ['stale', 4],
    ['acknowledgement', 3],
    ['recovery', 3],
    ['back', 3],
    ['test', 3],
  ])('%s has priority %i', (told, priority) =>
    expect(shape('ntfy', letterOf(NOTICES[told])).body.priority).toBe(priority),
  );

  test.each([
    ['https://ntfy.sh/cold-team/', 'https://ntfy.sh/'],
    ['https://lab.example/push/cold-team', 'https://lab.example/push/'],
    ['https://ntfy.sh/cold-team?auth=x', 'https://ntfy.sh/?auth=x'],
  ])('%s is posted to %s', (address, root) => {
    const { url, headers, body } = shape('ntfy', letterOf(NOTICES.critical), address);
    expect([url, body.topic, headers?.authorization]).toEqual([root, 'cold-team', undefined]);
  });

  test('a digest says how many are left', () => {
    const lines = shape('ntfy', digestOf(500)).body.message.split('\n');
    expect(lines.at(-1)).toBe('and 480 more');
  });
});
