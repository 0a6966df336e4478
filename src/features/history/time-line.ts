// What happened in an alarm, from the breach to its end: each entry in the words of the code that knows it.
import type { Language } from '../../domain/language/speak.ts';
import { describeRecovery, sayToPeople } from '../../domain/words/alarm-message.ts';
import type { UnitNote } from '../../engine/equipment/unit-notes.ts';
import type { DeliveryModel, ToldModel } from '../../engine/told/told-model.ts';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
} from '../../platform/html/time.tsx';
import type { EpisodeAcknowledgement, EpisodeEvent } from './episode-queries.ts';
import type { EpisodeRow } from './queries.ts';

export interface LineEntry {
  at: ShownTime;
  title: string;
  text: ShownText | null;
  /** What somebody wrote. */
  quote: string | null;
  deliveries: DeliveryModel[];
  tone: 'critical' | 'warning' | 'stale' | 'normal' | 'plain';
}

export interface LineParts {
  row: EpisodeRow;
  events: EpisodeEvent[];
  acknowledgements: EpisodeAcknowledgement[];
  told: ToldModel[];
  /** Pinned to a moment of it. */
  notes: UnitNote[];
  /** As they are said; null: not known. */
  limit: string | null;
  worst: string | null;
}

type Draft = Omit<LineEntry, 'at' | 'deliveries' | 'quote' | 'text'> &
  Partial<Pick<LineEntry, 'deliveries' | 'quote' | 'text'>> & { when: Date };

export function writeTimeLine(parts: LineParts, reader: Reader): LineEntry[] {
  const { row, events, acknowledgements, told, notes } = parts;
  const drafts = [
    ...listBreach(parts, reader.language),
    ...events.map((event) => describeEvent(event, reader)),
    ...told.map(({ at, title, decision, deliveries }) => ({
      when: new Date(at.iso),
      title,
      text: decision,
      deliveries,
      tone: 'plain' as const,
    })),
    ...acknowledgements.flatMap((one) => describeAcknowledgement(one, reader.language)),
    ...notes.map(({ at, authorName, text }) => ({
      when: at,
      title: reader.language.say('{person} noted', { person: authorName }),
      quote: text,
      tone: 'plain' as const,
    })),
    ...listEnd(row, events, reader.language),
  ];
  // What happened at the same moment stays in this order.
  return drafts
    .sort((one, other) => one.when.getTime() - other.when.getTime())
    .map(({ when, ...draft }) => ({
      text: null,
      quote: null,
      deliveries: [],
      ...draft,
      at: showTime(when, reader),
    }));
}

function listBreach({ row, limit, worst }: LineParts, { say }: Language): Draft[] {
  const { overSince, worstAt } = row;
  return [
    ...(overSince
      ? [
          {
            when: overSince,
            title: say('First beyond the limit'),
            text: limit === null ? null : [say('The limit is {limit}.', { limit })],
            tone: 'plain' as const,
          },
        ]
      : []),
    ...(worst !== null && worstAt
      ? [{ when: worstAt, title: say('Worst value'), text: [worst], tone: 'plain' as const }]
      : []),
  ];
}

function describeEvent({ kind, to, message, value, channel, at }: EpisodeEvent, reader: Reader): Draft {
  const { language } = reader;
  const { say } = language;
  const said = (stored: string) => showText(sayToPeople(stored, channel, value, language), reader);
  switch (kind) {
    case 'went_stale':
      return { when: at, title: say('No data comes in'), tone: 'stale' };
    case 'came_back':
      return { when: at, title: say('Data comes in again'), tone: 'plain' };
    case 'recovered': {
      const recovery = { channel: channel?.name ?? null, label: null, unit: null, ...channel, value };
      return { when: at, title: say('Over'), text: said(describeRecovery(recovery)), tone: 'normal' };
    }
    default:
      return {
        when: at,
        title:
          to === 'critical'
            ? kind === 'raised'
              ? say('Critical alarm')
              : say('Now critical')
            : kind === 'raised'
              ? say('Warning')
              : say('Now a warning'),
        text: message === null ? null : said(message),
        tone: to === 'critical' ? 'critical' : 'warning',
      };
  }
}

function describeAcknowledgement(one: EpisodeAcknowledgement, { say }: Language): Draft[] {
  const { by, at, severity, comment, endedAt, endReason, handedTo, isGivenBack } = one;
  const taken: Draft = {
    when: at,
    // For translators: {by} is the name of a person
    title: say('{by} acknowledged it at {severity, select, CRITICAL {critical} other {warning}}', {
      by,
      severity,
    }),
    quote: comment,
    tone: 'plain',
  };
  if (endedAt === null || endReason === 'recovered') return [taken];
  const end = (title: string): Draft[] => [taken, { when: endedAt, title, tone: 'plain' }];
  if (handedTo !== null) return end(say('{by} handed it to {to}', { by, to: handedTo }));
  if (isGivenBack) return end(say('{by} could not go and gave it back', { by }));
  if (endReason === 'expired') return end(say('The acknowledgement of {by} expired', { by }));
  return end(say('The acknowledgement of {by} was removed', { by }));
}

/** An archived service is normal, and nothing happened that says so. */
function listEnd({ endedAt }: EpisodeRow, events: readonly EpisodeEvent[], { say }: Language): Draft[] {
  if (endedAt === null || events.some(({ kind }) => kind === 'recovered')) return [];
  return [{ when: endedAt, title: say('Over: the service was archived'), tone: 'normal' }];
}
