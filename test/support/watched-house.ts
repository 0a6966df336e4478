// A service split between programs that watch it, whose work goes on in steps of five seconds, and every place that says
// what is wrong with it.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { FINDINGS, type FindingName, type HostFigures } from '../../src/domain/self-watch.ts';
import type { Deliverer } from '../../src/engine/delivery/deliverer.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { packReadingsBehind } from '../../src/engine/packing/pack-behind.ts';
import { createHeartbeat } from '../../src/engine/self-watch/heartbeat.ts';
import { enrolProgram, type Program } from '../../src/engine/self-watch/programs.ts';
import { createWatch } from '../../src/engine/self-watch/watch.ts';
import { examine } from '../../src/features/health/doctor.ts';
import { measureHealth } from '../../src/features/health/metrics.ts';
import type { HealthReport } from '../../src/features/health/report.ts';
import { type DeliveryDesk, openDeliveryDesk } from './delivery-desk.ts';
import { minutes, seconds } from './movable-clock.ts';
import { openSmtpReceiver } from './smtp-receiver.ts';
import type { TestServer } from './test-server.ts';
import { answers, startWebhookReceiver } from './webhook-receiver.ts';

type Host = Omit<HostFigures, 'host'>;

export interface House {
  desk: DeliveryDesk;
  /** Which programs run. */
  isRunning: { engine: boolean; deliver: boolean };
  /** What the programs measure of their host. */
  measureHost: () => Promise<Host>;
  deliverer: Deliverer;
  /** Whether the program that delivers keeps its mail, for want of a server. */
  keepsMail: boolean;
  /** What the program that delivers cannot read of how messages are to leave. */
  unread: string[];
  isPackingLost: boolean;
  live(ms: number): Promise<void>;
  report(): Promise<HealthReport>;
  /** How often somebody outside was told that all is well. */
  heartbeats(): number;
  /** It is said in every place, in these words. */
  expectFound(name: FindingName, words: string): Promise<void>;
  /** No place says that anything is wrong. */
  expectWell(): Promise<void>;
  /** The log of the program that runs the clock, or delivers. */
  logOf(name: FindingName): { level: number; msg: string }[];
}

const GIBIBYTE = 1024 ** 3;
const STEP_MS = seconds(5);

export async function openHouse(server: TestServer): Promise<House> {
  const { db, clock, road } = server;
  const desk = await openDeliveryDesk(server);
  const watcher = await startWebhookReceiver(answers(200));
  const lines: string[] = [];
  const earlierLines = server.logLines.length;
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const strike = createHeartbeat({ db, log: pino({ level: 'silent' }), url: new URL(watcher.url) });
  const registry = new Registry();
  const config = readEnvironment({ SMTP_URL: (await openSmtpReceiver()).url });
  measureHealth(registry, { db, log, config, clock: clock.read });

  /** One after the other, so that each step is the same every time. */
  const hireProgram = (
    role: 'engine' | 'deliver',
    tasks: (program: Program) => ((now: Date) => Promise<void>)[],
  ) => {
    const program = enrolProgram(db, [role], clock.read());
    if (role === 'deliver') program.noteMail(() => house.keepsMail);
    if (role === 'deliver') program.noteUnread(() => house.unread);
    program.noteLostPacking((now) => (house.isPackingLost ? now : null));
    const watch = createWatch({ db, log, program, measureHost: () => house.measureHost() });
    return async () => {
      if (!house.isRunning[role]) return;
      for (const run of tasks(program)) await run(clock.read()).catch(() => {});
      await watch.task.run(clock.read());
    };
  };
  const engine = hireProgram('engine', ({ noting }) => [
    noting('sweep', road.sweep),
    async (now) => void (await packReadingsBehind(db, now)),
  ]);
  const deliver = hireProgram('deliver', ({ noting }) => [
    noting('decide', (now) => decideDue(db, now)),
    noting('form', (now) => formLetters(db, now)),
    noting('deliver', () => house.deliverer.work()),
    () => house.deliverer.settle(),
  ]);

  const tick = async () => {
    await engine();
    await deliver();
    await server.watch.task.run(clock.read());
    await strike(clock.read());
  };
  const linesOf = (from: readonly string[], name: FindingName) =>
    from
      .map((line) => JSON.parse(line) as { finding?: string; level: number; msg: string })
      .filter(({ finding }) => finding === name);

  const report = async () =>
    (await (await desk.lab.nora.get('/api/v1/health/detailed')).json()) as HealthReport;
  const consult = async () => {
    const said: string[] = [];
    const out = {
      stdout: (line: string) => void said.push(line),
      stderr: (line: string) => void said.push(line),
    };
    // It runs on a host of its own, whose clock is right.
    const deps = { db, log, config, clock: () => new Date(), clusterDir: null };
    const code = await examine(deps, { isJson: false, config, nodeVersion: 'v22.0.0' }, out, clock.read());
    return { code, said };
  };

  const house: House = {
    desk,
    isRunning: { engine: true, deliver: true },
    measureHost: async () => ({
      clockAheadMs: 0,
      disk: { freeBytes: 80 * GIBIBYTE, totalBytes: 100 * GIBIBYTE },
    }),
    deliverer: desk.deliverer,
    keepsMail: false,
    unread: [],
    isPackingLost: false,
    async live(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.advance(STEP_MS);
        await tick();
      }
    },
    report,
    heartbeats: () => watcher.received.length,
    logOf: (name) => linesOf(lines, name),
    async expectFound(name, words) {
      const { component, severity } = FINDINGS[name];
      const { status, degraded, findings, components } = await report();
      expect(findings.map((finding) => finding.name)).toContain(name);
      expect({ status, degraded }).toEqual({
        status: 'degraded',
        degraded: expect.arrayContaining([component]),
      });
      expect(components[component]).toMatchObject({
        status: 'degraded',
        reason: expect.stringContaining(words),
      });

      const { code, said } = await consult();
      expect(code).toBe(1);
      expect(said.find((line) => line.startsWith(`✗ ${component}: `))).toContain(words);

      expect(await registry.metrics()).toContain(
        `tocsin_finding{finding="${name}",component="${component}",severity="${severity}"} 1`,
      );

      for (const administrator of [desk.lab.ada, desk.lab.olga]) {
        const page = await (await administrator.get('/services')).text();
        expect(page).toContain(
          `<span class="severity severity-${severity}">Tocsin: ${severity}</span><span><strong>${words}`,
        );
      }
      for (const other of [desk.lab.oscar, desk.lab.vera, desk.lab.nora])
        expect(await (await other.get('/services')).text()).not.toContain('banner');

      const told = [linesOf(server.logLines.slice(earlierLines), name), linesOf(lines, name)].find(
        (some) => some.length > 0,
      );
      expect(told).toEqual([
        expect.objectContaining({
          level: severity === 'critical' ? 50 : 40,
          msg: expect.stringContaining(words),
        }),
      ]);

      const before = house.heartbeats();
      await house.live(minutes(1));
      expect(house.heartbeats() - before).toBe(severity === 'critical' ? 0 : 1);
    },
    async expectWell() {
      expect(await report()).toMatchObject({ status: 'healthy', degraded: [], findings: [] });
      // Freezers that were never heard from are named, and break nothing.
      const well = expect.stringMatching(/^(All is well|Nothing is broken)/);
      expect(await consult()).toMatchObject({ code: 0, said: expect.arrayContaining([well]) });
      expect(await registry.metrics()).not.toMatch(/^tocsin_finding\{.*\} 1$/m);
      expect(await (await desk.lab.ada.get('/services')).text()).toContain(
        '<div id="banner" data-names></div>',
      );
      const before = house.heartbeats();
      await house.live(minutes(1));
      expect(house.heartbeats()).toBe(before + 1);
    },
  };
  await house.live(STEP_MS);
  return house;
}
