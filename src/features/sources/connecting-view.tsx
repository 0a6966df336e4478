import { SOURCE_KINDS, type SourceKind } from '../../domain/ways-in/source-settings.ts';
import { CONNECTING, KIND_WORDS, type Place } from './connecting.ts';

interface ConnectingProps {
  kind: SourceKind;
  place: Place;
}

/** Its kind says what it usually speaks; the address says what it speaks now, so its secret is good for all. */
export const ConnectingLines = ({ kind, place }: ConnectingProps) => (
  <>
    <Lines {...CONNECTING[kind](place)} />
    <details>
      <summary>Other ways to hand in data with the same secret</summary>
      {SOURCE_KINDS.filter((other) => other !== kind).map((other) => (
        <section key={other}>
          <h3>{KIND_WORDS[other]}</h3>
          <Lines {...CONNECTING[other](place)} />
        </section>
      ))}
    </details>
  </>
);

const Lines = ({ words, lines }: { words: string; lines: string }) => (
  <>
    <p>{words}</p>
    <pre>
      <code>{lines}</code>
    </pre>
  </>
);
