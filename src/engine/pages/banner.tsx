// What is wrong with the service itself, for those who can do something about it: on every page, and kept true by a script.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Finding } from '../../domain/self-watch.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';

/** Comes with the answer to every page, so that no page can forget it. null: not for this visitor. */
export const Findings = createContext<readonly Finding[] | null>(null);

export const Banner = () => {
  const findings = useContext(Findings);
  return findings && <FindingList findings={findings} />;
};

/** The names say whether it is something new. */
export const FindingList = ({ findings }: { findings: readonly Finding[] }) => {
  const { say } = useLanguage();
  return (
    <div id="banner" data-names={findings.map(({ name }) => name).join(' ')}>
      {findings.length > 0 && (
        <section aria-label={say('Tocsin itself needs attention')}>
          {findings.map((finding) => (
            <FindingLine key={finding.name} {...finding} />
          ))}
        </section>
      )}
    </div>
  );
};

const FindingLine = ({ severity, sayIn }: Finding) => {
  const language = useLanguage();
  const { trouble, advice } = sayIn(language);
  return (
    <p class={`banner-line banner-${severity}`}>
      <span class={`severity severity-${severity}`}>
        {severity === 'critical' ? language.say('Tocsin: critical') : language.say('Tocsin: warning')}
      </span>
      <span>
        {sayWith(language, '<strong>{trouble}.</strong> {advice}', {
          trouble,
          advice,
          strong: (inside) => <strong>{inside}</strong>,
        })}
      </span>
    </p>
  );
};
