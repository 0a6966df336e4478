import { english } from '../../../domain/language/english.ts';
import { message } from '../../../domain/language/message.ts';
import { formatLocalTime } from '../../../domain/local-time.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import type { Subject } from '../../../domain/notifications/subject.ts';
import { countJsonBytes, fitLines, shorten } from '../../letters/fit-text.ts';
import type { Letter } from '../../letters/letter.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../letters/notice-words.ts';
import type { Kind, Shape } from '../../letters/webhook-kind.ts';
import { readTopic, viewAction, writeNtfy } from './write-ntfy.ts';

const SIGNALS: Record<Subject, { priority: number; tag: string }> = {
  critical: { priority: 5, tag: 'rotating_light' },
  warning: { priority: 4, tag: 'warning' },
  stale: { priority: 4, tag: 'mute' },
  acknowledgement: { priority: 3, tag: 'raising_hand' },
  arrival: { priority: 3, tag: 'walking' },
  recovery: { priority: 3, tag: 'white_check_mark' },
  back: { priority: 3, tag: 'white_check_mark' },
};

const shape: Shape = (letter, { url, secret }, { publicUrl }) => {
  const [worst] = letter.notices;
  const note = {
    title: titleOfLetter(letter),
    tags: [SIGNALS[worst.subject].tag, ...(worst.mark === null ? [] : [worst.mark])],
    priority: worst.mark === 'test' ? 3 : SIGNALS[worst.subject].priority,
    click: isDigest(letter) ? publicUrl : worst.serviceUrl,
    actions: isDigest(letter) ? [viewAction('Open Tocsin', publicUrl)] : actionsOf(worst),
  };
  const writeText = (room: number) =>
    isDigest(letter) ? listNotices(letter, room) : tellNotice(worst, room);
  return [writeNtfy(url, secret, note, writeText)];
};

export const ntfy: Kind<'ntfy'> = {
  name: 'ntfy',
  label: 'ntfy',
  secret: { name: message('access token'), hint: message('ntfy: an access token if the topic needs one.') },
  findFault: (address) =>
    readTopic(address)
      ? null
      : message('The address must end with a topic, such as https://ntfy.sh/cold-team'),
  shape,
  joinsDigests: true,
};

const actionsOf = ({ serviceUrl, acknowledgeUrl }: Notice) => [
  viewAction('Open', serviceUrl),
  ...(acknowledgeUrl === null ? [] : [viewAction('Acknowledge', acknowledgeUrl)]),
];

function tellNotice(notice: Notice, room: number): string {
  const facts = factsOf(notice, english).map(
    ({ title, value }) => `${title}: ${value instanceof Date ? formatLocalTime(value, 'UTC') : value}`,
  );
  return shorten([textOf(notice, english), ...facts].join('\n'), room, countJsonBytes);
}

function listNotices({ notices }: Letter, room: number): string {
  const writeLine = (notice: Notice) =>
    shorten(`${titleOf(notice, english)}: ${textOf(notice, english)}`, 300, countJsonBytes);
  return fitLines(notices, writeLine, room, english, countJsonBytes).join('\n');
}
