// Stickers for the equipment itself: whoever stands before it finds its page.

import type { FoundGuidance } from '../../../domain/guidance/guidance.ts';
import { writeLine } from '../../../domain/guidance/markdown.ts';
import { message } from '../../../domain/language/message.ts';
import { type AddressDoubt, AddressWarning } from '../../../engine/pages/address-warning.tsx';
import { AskLink } from '../../../engine/pages/ask.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { UpLink } from '../../../platform/html/up-link.tsx';
import { drawQr } from './draw-qr.ts';

interface StickerModel {
  id: number;
  name: string;
  /** Asset and location, as far as somebody said so. */
  place: string[];
  guidance: FoundGuidance | null;
  /** Where its code leads. */
  path: string;
}

interface StickersProps {
  visitor: Visitor;
  stickers: StickerModel[];
  /** Where the pages are, such as https://tocsin.lab.example. */
  origin: string;
  doubt: AddressDoubt | null;
  /** Not all that were asked for are here. */
  hasMore: boolean;
  back: { path: string; label: string };
  /** Whether those who scan one sign in, or see a door card. */
  leadTo: 'sign_in' | 'door_card' | 'either';
  /** Where the address of the only one is renewed; null: it is none of a door card, or not theirs to renew. */
  renewPath: string | null;
  news: string | null;
}

const LEAD_TO = {
  sign_in: message(
    'Print this page: only the stickers come out, each about 85 by 36 mm. They lead to pages under <strong>{origin}</strong>, where whoever scans one signs in as usual.',
  ),
  door_card: message(
    'Print this page: only the stickers come out, each about 85 by 36 mm. They lead to door cards under <strong>{origin}</strong>, which open for everybody who scans one.',
  ),
  either: message(
    'Print this page: only the stickers come out, each about 85 by 36 mm. They lead to pages under <strong>{origin}</strong>: to door cards, which open for everybody, where the organization has them, and to the sign-in elsewhere.',
  ),
} as const;

export const StickersPage = ({
  visitor,
  stickers,
  origin,
  doubt,
  hasMore,
  back,
  leadTo,
  renewPath,
  news,
}: StickersProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Stickers')} visitor={visitor} current="/services">
      <div class="not-printed">
        <UpLink {...back} />
        <h1>{say('Stickers')}</h1>
        {news !== null && <Notice kind="done">{news}</Notice>}
        <AddressWarning doubt={doubt} />
        {stickers.length === 0 ? (
          <p>{say('No service matches, so there is nothing to print.')}</p>
        ) : (
          <p>
            {sayWith(language, LEAD_TO[leadTo], { origin, strong: (inside) => <strong>{inside}</strong> })}
          </p>
        )}
        {renewPath !== null && (
          <p>
            <AskLink to={renewPath} isQuiet>
              {say('Renew its door card')}
            </AskLink>
          </p>
        )}
        {hasMore && (
          <p>
            {say('These are the first {count}. Narrow the list of services down to print others.', {
              count: stickers.length,
            })}
          </p>
        )}
      </div>
      <ul class="stickers">
        {stickers.map((sticker) => (
          <Sticker key={sticker.id} origin={origin} sticker={sticker} />
        ))}
      </ul>
    </Page>
  );
};

const LONGEST_DO = 80;

const Sticker = ({
  origin,
  sticker: { id, name, place, guidance, path: way },
}: {
  origin: string;
  sticker: StickerModel;
}) => {
  const { say } = useLanguage();
  const address = `${origin}/services/${id}`;
  const { size, path } = drawQr(origin + way);
  return (
    <li class="sticker">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={say('QR code of {address}', { address })}
        shape-rendering="crispEdges"
      >
        <rect width={size} height={size} fill="white" />
        <path d={path} fill="black" />
      </svg>
      <div>
        <strong class="sticker-name">{name}</strong>
        {place.map((part) => (
          <span key={part}>{part}</span>
        ))}
        {guidance?.whatToDo && (
          <span class="sticker-do">{writeLine(guidance.whatToDo.value, LONGEST_DO)}</span>
        )}
        {guidance?.phones && <span class="sticker-phone">{guidance.phones.value.split('\n', 1)[0]}</span>}
        <span class="sticker-address">{address}</span>
      </div>
    </li>
  );
};
