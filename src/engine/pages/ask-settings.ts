// The question before an act of the settings. It is asked where the act is, by a GET; the form of its page acts.

import { h, type VNode } from 'preact';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Result } from '../../domain/result.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { foreseeLoss } from '../outbox/foresee-loss.ts';
import { type ActQuestion, Ask, sayQuestion } from './ask.tsx';
import type { Visit } from './page-routes.ts';
import { type SettingsFrame, SettingsPage } from './settings-page.tsx';
import { settingsPath } from './settings-path.ts';
import type { Visitor } from './visitor.ts';

/** To something of one organization. */
export interface OrganizationVisit extends Visit {
  visitor: Visitor;
  organization: { id: OrganizationId; name: string };
}

/** What is asked before an act, and what it would do. null: there is nothing that it could be done to. */
export type AskAct = (visit: OrganizationVisit) => Promise<ActQuestion | null>;

interface Asking {
  /** With the form of the act. */
  visit: OrganizationVisit;
  frame: SettingsFrame;
  ask: AskAct;
  /** Where it may leave alarms without anybody: the act, to be tried out. */
  act: ((tx: Tx) => Promise<Result<unknown, unknown>>) | null;
  /** The page with the form. */
  back: string;
}

/** Of a form that was sent without the answer: only where the act would leave alarms without anybody. */
export const askFirst = async (db: Database, asking: Asking): Promise<VNode | null> =>
  asking.visit.form.sure === 'yes' ? null : askBefore(db, asking, { onlyIfLost: true });

export async function askBefore(
  db: Database,
  { visit, frame, ask, act, back }: Asking,
  { onlyIfLost = false } = {},
): Promise<VNode | null> {
  const { organization, visitor, request, form } = visit;
  const losses = act ? await foreseeLoss(db, [organization.id], act, visitor.now) : [];
  if (onlyIfLost && losses.length === 0) return null;
  const question = await ask(visit);
  if (!question) return null;
  const [place = ''] = request.url.split('?');
  const action = settingsPath(place, organization);
  const title = sayQuestion(question, visitor.language);
  const children = h(Ask, { question, losses, action, form, back: settingsPath(back, organization) });
  return h(SettingsPage, { title, frame, current: back.split('/').slice(0, 3).join('/'), children }) as VNode;
}
