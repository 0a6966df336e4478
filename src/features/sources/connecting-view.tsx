import { SOURCE_KINDS, type SourceKind } from '../../domain/ways-in/ways.ts';
import type { Connecting, Place } from './connecting.ts';
import { SHOWN_WAYS } from './shown-ways.ts';

interface ConnectingProps {
  kind: SourceKind;
  place: Place;
}

/** Its kind says what it usually speaks; the address says what it speaks now, so its secret is good for all. */
export const ConnectingLines = ({ kind, place }: ConnectingProps) => (
  <>
    <Lines {...SHOWN_WAYS[kind].connect(place)} />
    <details>
      <summary>Other ways to hand in data with the same secret</summary>
      {SOURCE_KINDS.filter((other) => other !== kind).map((other) => (
        <section key={other}>
          <h3>{SHOWN_WAYS[other].label}</h3>
          <Lines {...SHOWN_WAYS[other].connect(place)} />
        </section>
      ))}
    </details>
  </>
);

const Lines = ({ words, lines }: Connecting) => (
  <>
    <p>{words}</p>
    <pre>
      <code>{lines}</code>
    </pre>
  </>
);
