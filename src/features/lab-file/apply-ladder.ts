// The steps of a group, and who stands on them. What the file does not name stays.
import type { AccountId } from '../../domain/ids.ts';
import type { LadderStep } from '../../domain/notifications/ladder.ts';
import { ofStepWord, toStepWord } from '../../domain/notifications/step-words.ts';
import { changeGroup } from '../../engine/groups/change-group.ts';
import { addRota, setSteps } from '../../engine/groups/group-ladder.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import type { ApplyRun } from './apply-run.ts';
import type { StoredGroup } from './queries.ts';
import type { LabGroup } from './read/read-lab-file.ts';

interface Known {
  findMember: (named: { path: string; value: string }) => { id: AccountId; email: string }[];
  rotas: ReadonlyMap<string, number>;
}

export async function applyLadder(
  run: ApplyRun,
  group: StoredGroup,
  { path, steps = [], told = [] }: LabGroup,
  known: Known,
): Promise<string[]> {
  if (steps.length === 0 && told.length === 0) return [];
  const given = steps.map((one) => toStep(one));
  const named = new Set([0, ...group.steps.map(({ step }) => step), ...given.map(({ step }) => step)]);
  const all = [...group.steps.filter(({ step }) => given.every((one) => one.step !== step)), ...given];
  const sorted = all.sort((one, other) => one.step - other.step);
  if (
    sorted.some(
      ({ afterMinutes }, index) => index > 0 && afterMinutes <= (sorted[index - 1]?.afterMinutes ?? 0),
    )
  )
    run.faults.add(`${path}.steps`, 'a later step of the group must have more after_minutes');
  const changes: string[] = [];
  await changeGroup(run.tx, run.now, async (changing) => {
    const set = given.length > 0 ? await setSteps(changing, group.id, given) : [];
    for (const { step } of set)
      changes.push(`step ${step}: ${nameStep(given.find((one) => one.step === step))}`);
    const added: { groupId: number }[] = [...set];
    for (const { path: at, step = 0, during = 'always', ...whom } of told) {
      if (!named.has(step)) {
        run.faults.add(`${at}.step`, `the group has no step ${step}`);
        continue;
      }
      const place = { step, during };
      const { rows, name } = await addTold(run, changing, group, whom, place, known);
      added.push(...rows);
      if (rows.length > 0)
        changes.push(`+ ${name} at step ${step}${during === 'always' ? '' : `, ${during}`}`);
    }
    return added;
  });
  return changes;
}

const toStep = ({
  step,
  after_minutes,
  kinds = ['critical'],
}: NonNullable<LabGroup['steps']>[number]): LadderStep => ({
  step,
  afterMinutes: after_minutes,
  subjects: kinds.map(ofStepWord),
});

const nameStep = (step: LadderStep | undefined) =>
  `after ${step?.afterMinutes} minutes, ${step?.subjects.map(toStepWord).join(', ')}`;

type Whom = Pick<NonNullable<LabGroup['told']>[number], 'account' | 'email' | 'rota' | 'webhook'>;

async function addTold(
  { faults }: ApplyRun,
  tx: Parameters<Parameters<typeof changeGroup>[2]>[0],
  group: StoredGroup,
  { account, email, rota, webhook }: Whom,
  place: recipients.Place,
  { findMember, rotas }: Known,
): Promise<{ rows: { groupId: number }[]; name: string }> {
  if (account) {
    const ids = findMember(account).map(({ id }) => id);
    return { rows: await recipients.addAccounts(tx, group.id, ids, place), name: `account ${account.value}` };
  }
  if (email) {
    const rows = await recipients.addEmails(tx, group.id, [email.value], place);
    recipients.proveEmails(tx, group.id, [email.value]);
    return { rows, name: `email ${email.value}` };
  }
  if (webhook) {
    const { kind, url, secret = null } = webhook;
    const rows = await recipients.addWebhooks(tx, group.id, [{ kind, url, secret }], place);
    return { rows, name: `webhook ${kind} at ${new URL(url).host}` };
  }
  const rotaId = rota && rotas.get(rota.value);
  if (rota && rotaId === undefined) faults.add(rota.path, `there is no rota "${rota.value}"`);
  const rows = rotaId === undefined ? [] : await addRota(tx, group.id, rotaId, place);
  return { rows, name: `rota ${rota?.value}` };
}
