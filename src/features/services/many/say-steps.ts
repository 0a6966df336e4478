// What an act would do to each unit, in words.
import { sayTelling, type Telling } from '../../../domain/equipment/telling.ts';
import { BAND_LABELS, type BandName } from '../../../domain/judging/band.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayMinutes } from '../../../domain/words/say-minutes.ts';
import { measuredOf, sayLimit } from '../../../domain/words/say-value.ts';
import type { GroupStep } from '../../../engine/acts/many/group-for-many.ts';
import type { LimitsStep } from '../../../engine/acts/many/limits-for-many.ts';

/** Who hears nothing of it meanwhile. Where nobody would anyway, that is what matters. */
export function sayQuiet(telling: Telling | undefined, language: Language): string {
  if (!telling) return '';
  const { tells, text } = sayTelling(telling, language);
  return tells === 'nobody' || tells === 'nothing'
    ? text
    : language.say('{group} is not notified.', { group: telling.groupName ?? '' });
}

export function sayLoud(telling: Telling | undefined, language: Language): string {
  if (!telling) return '';
  const { tells, text } = sayTelling(telling, language);
  return tells === 'nobody' || tells === 'nothing'
    ? text
    : language.say('{group} is notified again.', { group: telling.groupName ?? '' });
}

export const sayGroupStep = ({ beforeName, afterName }: GroupStep, { say }: Language): string =>
  say('{before} → {after}', {
    before: beforeName ?? say('no group'),
    after: afterName ?? say('no group'),
  });

/** A line a channel. */
export const sayLimitsStep = ({ channels, changed }: LimitsStep, language: Language): string[] =>
  changed.map(({ before, after }) => {
    const channel = channels.find(({ name }) => name === after.channel);
    const { say } = language;
    const sayBands = (limits: Limits | null) => {
      const given = (limits?.bands ?? []).flatMap(({ band, limit, sustainedMinutes }) =>
        limit === null ? [] : [{ band, limit, sustainedMinutes }],
      );
      if (given.length === 0) return say('no limits');
      const measured = channel
        ? measuredOf(channel, language)
        : { unit: limits?.isPercentage ? '%' : null, words: null };
      return given
        .toSorted((one, other) => ORDER.indexOf(one.band) - ORDER.indexOf(other.band))
        .map(({ band, limit, sustainedMinutes }) => {
          const said = `${say(BAND_LABELS[band])} ${sayLimit(band, limit, measured, language)}`;
          return sustainedMinutes > 0
            ? say('{limit} for {span}', { limit: said, span: sayMinutes(sustainedMinutes, language) })
            : said;
        })
        .join(', ');
    };
    return say('{channel}: {before} → {after}', {
      channel: channel?.label ?? channel?.name ?? say('Whole unit'),
      before: sayBands(before),
      after: sayBands(after),
    });
  });

const ORDER = Object.keys(BAND_LABELS) as BandName[];
