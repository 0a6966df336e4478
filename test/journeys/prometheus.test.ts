// A real Prometheus writes to us by the lines of docs/ways-in.md.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openLab } from '../support/lab.ts';
import { exposeMetrics, findPrometheus, NO_PROMETHEUS, startPrometheus } from '../support/prometheus.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer } from '../support/test-server.ts';

if (!findPrometheus()) process.stderr.write(NO_PROMETHEUS);

const TEXT = readFileSync(new URL('../../docs/ways-in.md', import.meta.url), 'utf8');
const LINES = /```yaml\n(remote_write:[\s\S]*?)```/.exec(TEXT)?.[1] ?? '';

describe.skipIf(!findPrometheus())('Prometheus', () => {
  test('hands in what it scrapes, which is stored and judged', async () => {
    const server = await startServer();
    server.clock.advance(Date.now() - server.clock.read().getTime());
    const lab = await openLab(server);
    const freezer = await lab.freezer({
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 0 } } }],
    });
    await lab.source({ kind: 'prometheus', settings: { metrics: { ult_celsius: 'temperature' } } });
    let temperature = -79.5;
    const target = await exposeMetrics(
      () => `ult_celsius{device="${freezer.device}"} ${temperature}\nother{device="x"} 1\n`,
    );
    const prometheus = await startPrometheus(
      target,
      LINES.replace('https://tocsin.lab.example', server.url)
        .replace('SECRET', lab.secret)
        .replace('batch_send_deadline: 5s', 'batch_send_deadline: 1s'),
    );
    const values = async () => (await listStored(server.db, freezer.id)).map(({ value }) => value);
    await expect
      .poll(async () => (await values()).length, { timeout: 60_000, message: prometheus.log() })
      .toBeGreaterThan(1);
    expect(new Set(await values())).toEqual(new Set([-79.5]));
    temperature = -40;
    await expect
      .poll(() => lab.alarms(), { timeout: 60_000 })
      .toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
    expect(prometheus.log()).not.toMatch(/level=(warn|error).*remote/);
  });
});
