// What there is to do until a message has arrived: for administrators each step with its link, for others whom to wait for.

import type { ComponentChildren } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import { findStepsDone, type StepName, sayStepsMissing } from '../../domain/first-steps.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { listNames } from '../../domain/list-names.ts';
import { judgeOutcomes, type OutcomeVerdict, sayWell } from '../../domain/notifications/verdict.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { PostForm } from './post-form.tsx';
import {
  isAnyHandedOver,
  readStoredSteps,
  readTestOutcomes,
  type StoredFirstSteps,
} from './read-first-steps.ts';
import { settingsPath } from './settings-path.ts';
import { editPath } from './untold.tsx';
import type { Visitor } from './visitor.ts';

export const FIRST_STEPS = '/first-steps';

export interface FirstStepsModel {
  /** null: somebody else administers it. */
  steps: StoredFirstSteps | null;
  done: Record<StepName, boolean>;
  /** null: nothing is. */
  missing: string | null;
  /** null: none was sent. */
  test: OutcomeVerdict | null;
  isHandedOver: boolean;
}

const NOTHING_TO_DO: Omit<FirstStepsModel, 'done'> = {
  steps: null,
  missing: null,
  test: null,
  isHandedOver: false,
};

/** Of the organization that is asked for, else of one where something is missing. */
export async function readFirstSteps(
  db: ReadDatabase,
  visitor: Pick<Visitor, 'memberships' | 'accountId' | 'now'>,
  asked?: OrganizationId,
): Promise<FirstStepsModel> {
  const all = await listStepsOf(db, visitor);
  const found = all.find(({ steps, missing }) => (asked ? steps.id === asked : missing !== null)) ?? all[0];
  if (!found) return { ...NOTHING_TO_DO, done: NONE_DONE };
  const { id: organizationId, testId } = found.steps;
  return {
    ...found,
    test: testId === null ? null : judgeOutcomes(await readTestOutcomes(db, testId)),
    isHandedOver: await isAnyHandedOver(db, { organizationId, testId }),
  };
}

const NONE_DONE = findStepsDone({
  hasSource: false,
  hasWaitingDevice: false,
  hasService: false,
  isMailLeaving: false,
  isSomebodyTold: false,
  hasColleague: false,
  worksAlone: false,
  hasArrived: false,
});

async function listStepsOf(
  db: ReadDatabase,
  { memberships, accountId, now }: Pick<Visitor, 'memberships' | 'accountId' | 'now'>,
) {
  const administered = memberships.filter(({ role }) => canAdminister(role));
  if (administered.length === 0) return [];
  const ids = administered.map(({ organizationId }) => organizationId);
  return (await readStoredSteps(db, accountId, ids, now)).map((steps) => {
    const done = findStepsDone(steps);
    return { steps, done, missing: sayStepsMissing(done) };
  });
}

export interface MissingSteps {
  organization: { id: number; name: string };
  missing: string;
  /** Of several that the visitor administers. */
  isOneOfMany: boolean;
}

/** For a line on a page that has something else to show. null: nothing is missing, or it is not for this visitor. */
export async function readMissingSteps(db: ReadDatabase, visitor: Visitor): Promise<MissingSteps | null> {
  const all = await listStepsOf(db, visitor);
  const found = all.find(({ missing }) => missing !== null);
  if (!found || found.missing === null) return null;
  const { id, name } = found.steps;
  return { organization: { id, name }, missing: found.missing, isOneOfMany: all.length > 1 };
}

export const MissingStepsLine = ({ organization, missing, isOneOfMany }: MissingSteps) => (
  <p class="muted after-board" data-part="first-steps">
    {`First steps${isOneOfMany ? ` of ${organization.name}` : ''}, still missing: ${missing}.`}{' '}
    <a href={settingsPath(FIRST_STEPS, organization)}>Go on</a>
  </p>
);

interface Step {
  name: StepName;
  title: string;
  about: string;
  /** What to do about it; null: it is done, or others come first. */
  act: ComponentChildren;
}

type Known = FirstStepsModel & { steps: StoredFirstSteps };

function listSteps(model: Known): Step[] {
  const { steps, done } = model;
  const { sourceId, device } = steps;
  const link = (label: string, path: string) => (
    <a class="button button-primary" href={settingsPath(path, steps)}>
      {label}
    </a>
  );
  return [
    {
      name: 'source',
      title: 'Connect a source',
      about: 'A gateway, a network server or a script that may hand in data. It gets a secret of its own.',
      act: !done.source && link('Connect a source', '/settings/sources'),
    },
    {
      name: 'reading',
      title: 'Let it send a first reading',
      about: 'Its page has the lines to copy, and shows what comes in.',
      act: done.source && !done.reading && link('Show the lines to copy', `/settings/sources/${sourceId}`),
    },
    {
      name: 'adopt',
      title: device && !done.adopt ? `Adopt ${device.key}` : 'Adopt its device',
      about: 'Name it, choose a template with limits, and its curve begins with what it has said already.',
      act: device && !done.adopt && link('Adopt it', `/settings/devices/${device.id}`),
    },
    {
      name: 'mail',
      title: 'Let mail leave',
      about: sayMail(steps),
      act: done.adopt && !done.mail && <MailStep {...steps} link={link} />,
    },
    {
      name: 'told',
      title: 'Say who is told',
      about: done.told
        ? 'A group with somebody in it is told about critical alarms.'
        : 'A service tells a group of people. Without one its alarms are seen on pages alone.',
      act: done.adopt && !done.told && <ToldStep {...steps} link={link} />,
    },
    {
      name: 'colleague',
      title: 'Invite a colleague',
      about:
        steps.worksAlone && !steps.hasColleague ? 'You work alone.' : 'Somebody who acts when you cannot.',
      act: done.adopt && !done.colleague && (
        <>
          {link('Invite a colleague', '/settings/members')}
          <StepForm steps={steps} word="alone" label="I work alone" />
        </>
      ),
    },
    {
      name: 'arrived',
      title: 'See a message arrive',
      about: done.arrived
        ? 'Somebody said that it did.'
        : 'That a message left is no proof. Send a test, look where it should be, and say so here.',
      act: done.told && !done.arrived && <ArrivedStep {...model} />,
    },
  ];
}

function sayMail({ isMailLeaving, hasMailServer }: StoredFirstSteps): string {
  if (isMailLeaving) return 'The last mail was handed to a mail server.';
  return hasMailServer
    ? 'A mail server is set, and has taken no mail yet. The test below shows whether it does.'
    : 'Without a mail server nobody is told by mail, nobody can be invited, and no password is set anew.';
}

type Link = (label: string, path: string) => ComponentChildren;

const MailStep = ({ isKeeper, keepers, link }: StoredFirstSteps & { link: Link }) =>
  isKeeper ? (
    link('Set up mail', '/settings/delivery')
  ) : (
    <>
      Ask {keepers.length === 0 ? 'whoever runs this server' : listNames(keepers, 'or', english)} to set it
      up.
    </>
  );

const ToldStep = ({ silent, hasGroup, link }: StoredFirstSteps & { link: Link }) => {
  if (!hasGroup) return link('Make a group', '/settings/groups');
  if (silent && silent.groupId !== null && silent.sendCritical)
    return link(`Put somebody into ${silent.groupName}`, `/settings/groups/${silent.groupId}`);
  return silent ? (
    <a class="button button-primary" href={editPath(silent.id)}>
      Choose who is told
    </a>
  ) : null;
};

const ArrivedStep = ({ steps, test, isHandedOver }: Known) => (
  <>
    {test && <p class="step-about">{sayTest(test)}</p>}
    <div class="actions">
      {isHandedOver && <StepForm steps={steps} word="arrived" label="It arrived" isPrimary />}
      <StepForm
        steps={steps}
        word="test"
        label={test ? 'Send another test' : 'Send a test'}
        isPrimary={!isHandedOver}
      />
      {steps.testId !== null && (
        <a href={settingsPath(`/settings/tests/${steps.testId}`, steps)}>What became of it</a>
      )}
    </div>
  </>
);

function sayTest(test: OutcomeVerdict): string {
  if (test.kind === 'under_way') return 'The test is on its way.';
  return test.kind === 'well' ? sayWell(test) : test.words;
}

interface StepFormProps {
  steps: StoredFirstSteps;
  word: string;
  label: string;
  isPrimary?: boolean;
}

const StepForm = ({ steps, word, label, isPrimary = false }: StepFormProps) => (
  <PostForm organization={steps} action={`${FIRST_STEPS}/${word}`} class="step-form">
    <button type="submit" class={isPrimary ? 'button-primary' : undefined}>
      {label}
    </button>
  </PostForm>
);

/** While nothing is watched, in the place of what would be shown. */
export const FirstSteps = (model: FirstStepsModel) => (
  <section class="card first-steps">
    <h2>Nothing is watched yet</h2>
    {model.steps ? (
      <>
        <StepList {...model} steps={model.steps} />
        <p class="muted">
          Or describe the whole lab in a file and apply it with <code>tocsin apply lab.yaml</code>, or{' '}
          <a href={settingsPath('/settings/services', model.steps)}>create a service</a> by hand.
        </p>
      </>
    ) : (
      <p>
        As soon as an administrator of your organization has connected the first equipment, it stands here.
      </p>
    )}
  </section>
);

export const StepList = (model: Known) => (
  <ol>
    {listSteps(model).map(({ name, title, about, act }) => (
      <li key={name} class={model.done[name] ? 'step-done' : undefined}>
        <strong>{title}</strong>
        {model.done[name] && <span class="muted"> Done</span>}
        <p class="step-about">{about}</p>
        {act && <div class="step-about actions">{act}</div>}
      </li>
    ))}
  </ol>
);
