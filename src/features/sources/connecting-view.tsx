import { SOURCE_KINDS, type SourceKind } from '../../domain/ways-in/ways.ts';
import { Copyable } from '../../platform/html/copyable.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import type { Connecting, Place } from './connecting.ts';
import { SHOWN_WAYS } from './shown-ways.ts';

interface ConnectingProps {
  kind: SourceKind;
  place: Place;
}

/** Its kind says what it usually speaks; the address says what it speaks now, so its secret is good for all. */
export const ConnectingLines = ({ kind, place }: ConnectingProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <Lines {...SHOWN_WAYS[kind].connect(place, language)} />
      <details>
        <summary>{say('Other ways to hand in data with the same secret')}</summary>
        {SOURCE_KINDS.filter((other) => other !== kind).map((other) => (
          <section key={other}>
            <h3>{say(SHOWN_WAYS[other].label)}</h3>
            <Lines {...SHOWN_WAYS[other].connect(place, language)} />
          </section>
        ))}
      </details>
    </>
  );
};

const Lines = ({ words, lines }: Connecting) => (
  <>
    <p>{words}</p>
    <Copyable text={lines} />
  </>
);
