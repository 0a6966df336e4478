import { formatLocalTime } from '../../../../domain/local-time.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import type { Subject } from '../../../../domain/notifications/subject.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../notice-words.ts';
import type { Letter } from '../../transport.ts';
import { countJsonBytes, fitLines, shorten } from './fit-text.ts';
import { bearer, type Kind, postJson, type Shape } from './kind.ts';

/** Above that ntfy makes a file of the message. */
const MOST_BYTES = { whole: 4_096, title: 500 };

const SIGNALS: Record<Subject, { priority: number; tag: string }> = {
  critical: { priority: 5, tag: 'rotating_light' },
  warning: { priority: 4, tag: 'warning' },
  stale: { priority: 4, tag: 'mute' },
  acknowledgement: { priority: 3, tag: 'raising_hand' },
  recovery: { priority: 3, tag: 'white_check_mark' },
  back: { priority: 3, tag: 'white_check_mark' },
};

const shape: Shape = (letter, { url, secret }, { publicUrl }) => {
  const address = new URL(url);
  const { folder, topic } = readTopic(address) ?? { folder: '/', topic: '' };
  address.pathname = folder;
  const [worst] = letter.notices;
  const message = {
    topic,
    title: shorten(titleOfLetter(letter), MOST_BYTES.title, countJsonBytes),
    message: '',
    tags: [SIGNALS[worst.subject].tag, ...(worst.mark === null ? [] : [worst.mark])],
    priority: worst.mark === 'test' ? 3 : SIGNALS[worst.subject].priority,
    click: isDigest(letter) ? publicUrl : worst.serviceUrl,
    actions: isDigest(letter) ? [view('Open Tocsin', publicUrl)] : actionsOf(worst),
  };
  const room = MOST_BYTES.whole - Buffer.byteLength(JSON.stringify(message));
  message.message = isDigest(letter) ? listNotices(letter, room) : tellNotice(worst, room);
  return [postJson(address, message, bearer(secret))];
};

export const ntfy: Kind<'ntfy'> = {
  name: 'ntfy',
  label: 'ntfy',
  secret: { name: 'access token', hint: 'ntfy: an access token if the topic needs one.' },
  findFault: (address) =>
    readTopic(address) ? null : 'The address must end with a topic, such as https://ntfy.sh/cold-team',
  shape,
  joinsDigests: true,
};

/** Messages go to the root of the server; people know a topic by its address, which ends with it. null: there is none. */
function readTopic({ pathname }: URL): { folder: string; topic: string } | null {
  const { folder, topic } = /^(?<folder>.*\/)(?<topic>[-_A-Za-z0-9]{1,64})\/?$/.exec(pathname)?.groups ?? {};
  return folder === undefined || topic === undefined ? null : { folder, topic };
}

const actionsOf = ({ serviceUrl, acknowledgeUrl }: Notice) => [
  view('Open', serviceUrl),
  ...(acknowledgeUrl === null ? [] : [view('Acknowledge', acknowledgeUrl)]),
];

const view = (label: string, url: string) => ({ action: 'view', label, url });

function tellNotice(notice: Notice, room: number): string {
  const facts = factsOf(notice).map(
    ({ title, value }) => `${title}: ${value instanceof Date ? formatLocalTime(value, 'UTC') : value}`,
  );
  return shorten([textOf(notice), ...facts].join('\n'), room, countJsonBytes);
}

function listNotices({ notices }: Letter, room: number): string {
  const writeLine = (notice: Notice) => shorten(`${titleOf(notice)}: ${textOf(notice)}`, 300, countJsonBytes);
  return fitLines(notices, writeLine, room, countJsonBytes).join('\n');
}
