// `tocsin recommendations`, as another program that gives advice uses it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/domain/instant.ts';
import { completeByHand, failByHand, listPending } from '../../src/features/recommendations/commands.ts';
import { archive, auditOfService, createFreezer } from '../support/equipment.ts';
import { runCommand } from '../support/program.ts';
import {
  openRecommendationDesk,
  type RecommendationDesk,
  recommendationsOf,
  wordsOf,
} from '../support/recommendation-desk.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let databaseUrl: string;
let folder: string;
let desk: RecommendationDesk;
beforeAll(async () => {
  const { db, url } = await cloneDatabase();
  // The program wants a host in the address; that of the socket in the query counts.
  databaseUrl = url.replace('@/', '@localhost/');
  server = await startServerOn(db);
  folder = await mkdtemp(join(tmpdir(), 'tocsin-recommendations-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await server.db.query(sql`delete from recommendation`);
  desk = await openRecommendationDesk(server);
});

const BANDS = '"proposed_bands": [{"band": "CRITICAL_HIGH", "limit": -60}]';
const now = () => server.clock.read();
const pending = (isJson = false) => listPending(server.db, { isJson });
const stored = () => recommendationsOf(server, desk.freezer.id);

async function complete(
  content: string | Buffer,
  { service = String(desk.freezer.id), isJson = false } = {},
) {
  const file = join(folder, 'result.json');
  await writeFile(file, content);
  const printed = await completeByHand(server.db, { service, file, isJson }, now());
  return printed.ok ? printed : { ...printed, refusal: printed.refusal.replace(folder, '…') };
}

describe('pending', () => {
  test('nothing', async () => {
    expect(await pending()).toEqual({ ok: true, value: 'No request is pending.' });
    expect(await pending(true)).toEqual({ ok: true, value: '[]' });
  });

  test('the oldest first; --json with all that an advisor needs', async () => {
    await desk.recommend(desk.ada);
    const second = await createFreezer(server, desk, { name: 'Freezer\u001b[2J' });
    await desk.recommend(desk.ada, second);
    await desk.completed({}, await createFreezer(server, desk));
    const [organization] = await server.db.query<{ name: string }>(
      sql`select name from organization where id = ${desk.organization}`,
    );
    const at = formatInstant(now());
    expect(await pending()).toEqual({
      ok: true,
      value: [
        `service ${desk.freezer.id}, ${organization?.name}/${desk.freezer.name}: requested by Ada at ${at}`,
        `service ${second.id}, ${organization?.name}/Freezer\\u001b[2J: requested by Ada at ${at}`,
      ].join('\n'),
    });
    const json = await pending(true);
    const described = ({ id, name }: { id: number; name: string }) => ({
      result_id: expect.any(Number),
      service_id: id,
      service_name: name,
      organization: organization?.name,
      requested_by: 'Ada',
      requested_at: at,
    });
    expect(json.ok && JSON.parse(json.value)).toEqual([described(desk.freezer), described(second)]);
  });
});

describe('complete', () => {
  beforeEach(() => desk.recommend(desk.ada));

  test.each([
    ['a whole result', `{"channel": "temperature", ${BANDS}, "reasoning": "cold"}`],
    ['an empty object', '{}'],
    ['without proposed_bands', '{ "reasoning": ["soon"] }'],
    ['with unusable ones', '{"proposed_bands": "none"}'],
    ['with its spaces, double keys and long numbers', '\n{ "a": 1.0, "a": 12345678901234567890.00 }\n'],
    ['with characters that other columns refuse', '{"reasoning": "\\u0000 \\ud800"}'],
  ])('stored to the letter: %s', async (_, text) => {
    const [request] = await stored();
    expect(await complete(text)).toEqual({
      ok: true,
      value: `Completed the request of service ${desk.freezer.id}: result ${request?.id}.`,
    });
    expect(await stored()).toMatchObject([{ id: request?.id, state: 'completed', resultText: text }]);
    expect(await desk.read(desk.ada)).toContain(`value="${request?.id}"`);
    expect((await auditOfService(server, desk.freezer)).at(-1)).toMatchObject({
      action: 'recommendation.complete',
      accountName: 'command line',
      detail: { result_id: request?.id },
    });
  });

  test('--json prints the result_id, which can be applied', async () => {
    const printed = await complete(`\uFEFF{${BANDS}}`, { isJson: true });
    const { result_id, service_id } = JSON.parse(printed.ok ? printed.value : '') as Record<string, number>;
    expect(service_id).toBe(desk.freezer.id);
    expect(wordsOf(await desk.apply(desk.ada, String(result_id)))).toContain('✓ Applied 1 band(s)');
  });

  test('--json writes the largest result_id to its last digit', async () => {
    const largest = '9223372036854775807';
    await server.db.query(sql`delete from recommendation`);
    await server.db.query(sql`
      insert into recommendation (id, service_id, state, requested_by_id, requested_by_name, requested_at)
      overriding system value values (${largest}, ${desk.freezer.id}, 'pending', 1, 'Ada', ${now()})`);
    expect(await pending(true)).toMatchObject({
      value: expect.stringContaining(`[{"result_id":${largest},`),
    });
    expect(await complete('{}', { isJson: true })).toEqual({
      ok: true,
      value: `{"result_id":${largest},"service_id":${desk.freezer.id}}`,
    });
  });

  test.each([
    ['a list', '[]', '…/result.json is not a JSON object'],
    ['null', 'null', '…/result.json is not a JSON object'],
    ['a text', '"bands"', '…/result.json is not a JSON object'],
    ['no JSON', '{"a": }', '…/result.json is not JSON'],
    ['nothing', '', '…/result.json is not JSON'],
    [
      'another encoding',
      Buffer.from('{"unit": "°C"}', 'latin1'),
      '…/result.json is not UTF-8 text: save it as UTF-8',
    ],
    [
      'a pit without bottom',
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'The result is nested too deeply to be stored',
    ],
  ])('refused in one line: %s', async (_, content, refusal) => {
    expect(await complete(content)).toEqual({ ok: false, refusal });
    expect(await stored()).toMatchObject([{ state: 'pending' }]);
  });

  test('refused: a file that is not there, and a folder', async () => {
    const service = String(desk.freezer.id);
    for (const [file, refusal] of [
      [join(folder, 'nowhere.json'), 'does not exist'],
      [folder, 'is a folder, not a file'],
    ] as const) {
      expect(await completeByHand(server.db, { service, file, isJson: false }, now())).toEqual({
        ok: false,
        refusal: `${file} ${refusal}`,
      });
    }
  });

  test('refused: no pending request, and no such service', async () => {
    const idle = await createFreezer(server, desk);
    expect(await complete('{}', { service: String(idle.id) })).toEqual({
      ok: false,
      refusal: `No request is pending for service ${idle.id}`,
    });
    for (const service of ['2147483647', '2147483648', '0', '-1', 'abc', '1.0', '']) {
      const refusal = `There is no service ${service}`;
      expect(await complete('{}', { service })).toEqual({ ok: false, refusal });
    }
    await complete('{}');
    expect(await complete('{}')).toMatchObject({ ok: false });
  });

  test('a service that was archived meanwhile takes its result, too', async () => {
    await archive(server, desk.freezer);
    expect(await complete('{}')).toMatchObject({ ok: true });
  });

  test('several at the same moment: one counts', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => complete('{}')));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe('fail', () => {
  const fail = (reason: string, service = String(desk.freezer.id)) =>
    failByHand(server.db, { service, reason }, now());

  test('the reason is what people read', async () => {
    await desk.recommend(desk.ada);
    expect(await fail('The model <b>was</b> tired')).toEqual({
      ok: true,
      value: `Failed the request of service ${desk.freezer.id}.`,
    });
    expect(await desk.read(desk.vera)).toContain('Reason: The model &lt;b>was&lt;/b> tired');
    expect((await auditOfService(server, desk.freezer)).at(-1)).toMatchObject({
      action: 'recommendation.fail',
      accountName: 'command line',
      detail: { reason: 'The model <b>was</b> tired' },
    });
  });

  test('refused: a blank reason, no pending request, no such service', async () => {
    expect(await fail('Tired')).toEqual({
      ok: false,
      refusal: `No request is pending for service ${desk.freezer.id}`,
    });
    expect(await fail('Tired', 'x')).toEqual({ ok: false, refusal: 'There is no service x' });
    await desk.recommend(desk.ada);
    expect(await fail(' ')).toEqual({ ok: false, refusal: 'The reason must not be blank' });
    expect(await stored()).toMatchObject([{ state: 'pending' }]);
  });
});

test('the program itself, beside a running server: pending, complete from standard input, fail', async () => {
  const env = { DATABASE_URL: databaseUrl };
  await desk.recommend(desk.ada);
  const service = String(desk.freezer.id);
  const listed = await runCommand(['recommendations', 'pending', '--json'], env);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ service_id: desk.freezer.id }]);

  const args = ['recommendations', 'complete', '--service', service, '--file', '-', '--json'];
  const completed = await runCommand(args, env, `{${BANDS}}`);
  expect(completed).toMatchObject({ code: 0, stderr: '' });
  const { result_id } = JSON.parse(completed.stdout) as { result_id: number };
  expect(wordsOf(await desk.apply(desk.ada, String(result_id)))).toContain('✓ Applied 1 band(s)');

  const failed = await runCommand(['recommendations', 'fail', '--service', service, '--reason', 'x'], env);
  expect(failed).toEqual({ code: 1, stdout: '', stderr: `No request is pending for service ${service}\n` });
});
