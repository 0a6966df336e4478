// The steps of a group's ladder, and the rotas on it. Each change answers with what it changed.
import sql from 'sql-template-tag';
import type { LadderStep } from '../../domain/notifications/ladder.ts';
import { toStepWord } from '../../domain/notifications/step-words.ts';
import { keeping } from '../mosts/keep-most.ts';
import type { GroupTx } from './change-group.ts';
import type { Place } from './group-recipients.ts';

interface InGroup {
  groupId: number;
}

/** Nothing where it is so already. */
export const setSteps = (tx: GroupTx, groupId: number, steps: readonly LadderStep[]) =>
  tx.query<InGroup & { step: number }>(sql`
    insert into notification_group_step as stored (group_id, step, after_minutes, kinds)
    select ${groupId}, step, "afterMinutes", kinds
    from json_to_recordset(${JSON.stringify(steps.map(({ subjects, ...step }) => ({ ...step, kinds: subjects.map(toStepWord) })))}) as given (step int, "afterMinutes" int, kinds text[])
    on conflict (group_id, step) do update set after_minutes = excluded.after_minutes, kinds = excluded.kinds
    where (stored.after_minutes, stored.kinds) is distinct from (excluded.after_minutes, excluded.kinds)
    returning group_id as "groupId", step`);

/** Only one on which nobody stands. */
export const removeStep = (tx: GroupTx, groupId: number, step: number) =>
  tx.query<InGroup>(sql`
    delete from notification_group_step where group_id = ${groupId} and step = ${step}
      and not exists (select from notification_group_account where group_id = ${groupId} and step = ${step})
      and not exists (select from notification_group_email where group_id = ${groupId} and step = ${step})
      and not exists (select from notification_group_webhook where group_id = ${groupId} and step = ${step})
      and not exists (select from notification_group_rota where group_id = ${groupId} and step = ${step})
    returning group_id as "groupId"`);

/** Only rotas of its own organization. */
export const addRota = (tx: GroupTx, groupId: number, rotaId: number, { step, during }: Place) =>
  keeping(
    tx,
    'groupRotas',
    [groupId],
    tx.query<InGroup>(sql`
    insert into notification_group_rota (group_id, rota_id, step, during)
    select notification_group.id, rota.id, ${step}, ${during}
    from notification_group join rota using (organization_id)
    where notification_group.id = ${groupId} and rota.id = ${rotaId}
    on conflict do nothing returning group_id as "groupId"`),
  );

export const removeRota = (tx: GroupTx, groupId: number, rotaId: number, { step, during }: Place) =>
  tx.query<InGroup>(sql`
    delete from notification_group_rota
    where group_id = ${groupId} and rota_id = ${rotaId} and step = ${step} and during = ${during}
    returning group_id as "groupId"`);
