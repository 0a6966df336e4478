import { Gauge, type Registry } from 'prom-client';
import { FINDINGS, type FindingName } from '../../domain/self-watch.ts';
import { lookAtService } from '../../engine/self-watch/look.ts';
import type { Clock } from '../../platform/clock.ts';
import { countMissing } from '../../platform/languages/languages.ts';
import { type HealthDeps, reportHealth } from './report.ts';

/** Every finding and every number of the health report, read at each scrape. */
export function measureHealth(registry: Registry, deps: HealthDeps & { clock: Clock }): void {
  new Gauge({
    name: 'tocsin_finding',
    help: 'What the service finds wrong with itself: 1 while it is so, else 0',
    labelNames: ['finding', 'component', 'severity'],
    registers: [registry],
    async collect() {
      const { findings } = await lookAtService(deps.db, deps.clock());
      const found = new Set(findings.map(({ name }) => name));
      for (const name of Object.keys(FINDINGS) as FindingName[]) {
        this.set({ finding: name, ...FINDINGS[name] }, found.has(name) ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'tocsin_health',
    help: 'The numbers of the detailed health report; fact="ok" is 1 while the component is well, else 0',
    labelNames: ['component', 'fact'],
    registers: [registry],
    async collect() {
      const { components } = await reportHealth(deps, deps.clock());
      // What is not known any more must not stay as it was.
      this.reset();
      for (const [component, { status, ...facts }] of Object.entries(components)) {
        this.set({ component, fact: 'ok' }, status === 'ok' ? 1 : 0);
        for (const [fact, value] of Object.entries(facts)) {
          if (typeof value === 'number') this.set({ component, fact }, value);
        }
      }
    },
  });
  new Gauge({
    name: 'tocsin_texts_untranslated',
    help: 'How often this program said something in English because a language lacks it',
    labelNames: ['language'],
    registers: [registry],
    collect() {
      for (const [language, count] of countMissing()) this.set({ language }, count);
    },
  });
}
