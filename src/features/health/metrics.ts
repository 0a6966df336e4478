import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import { type HealthDeps, reportHealth } from './report.ts';

/** Every number of the health report, read at each scrape; the fact `ok` is 1 while the component is well. */
export function measureHealth(registry: Registry, deps: HealthDeps & { clock: Clock }): void {
  new Gauge({
    name: 'tocsin_health',
    help: 'The numbers of the detailed health report; fact="ok" is 1 while the component is well, else 0',
    labelNames: ['component', 'fact'],
    registers: [registry],
    async collect() {
      const { components } = await reportHealth(deps, deps.clock());
      for (const [component, { status, ...facts }] of Object.entries(components)) {
        this.set({ component, fact: 'ok' }, status === 'ok' ? 1 : 0);
        for (const [fact, value] of Object.entries(facts)) {
          if (typeof value === 'number') this.set({ component, fact }, value);
        }
      }
    },
  });
}
