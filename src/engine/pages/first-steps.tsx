// What there is to do until a message has arrived: for administrators each step with its link, for others whom to wait for.

import type { ComponentChildren } from 'preact';
import { canAdminister } from '../../domain/accounts/role.ts';
import { findStepsDone, type StepName, sayStepsMissing } from '../../domain/first-steps.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { listNames } from '../../domain/list-names.ts';
import { judgeOutcomes, type OutcomeVerdict, sayWell } from '../../domain/notifications/verdict.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
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
  visitor: Pick<Visitor, 'memberships' | 'accountId' | 'now' | 'language'>,
  asked?: OrganizationId,
): Promise<FirstStepsModel> {
  const all = await listStepsOf(db, visitor);
  const found = all.find(({ steps, missing }) => (asked ? steps.id === asked : missing !== null)) ?? all[0];
  if (!found) return { ...NOTHING_TO_DO, done: NONE_DONE };
  const { id: organizationId, testId } = found.steps;
  return {
    ...found,
    test: testId === null ? null : judgeOutcomes(await readTestOutcomes(db, testId), visitor.language),
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
  { memberships, accountId, now, language }: Pick<Visitor, 'memberships' | 'accountId' | 'now' | 'language'>,
) {
  const administered = memberships.filter(({ role }) => canAdminister(role));
  if (administered.length === 0) return [];
  const ids = administered.map(({ organizationId }) => organizationId);
  return (await readStoredSteps(db, accountId, ids, now)).map((steps) => {
    const done = findStepsDone(steps);
    return { steps, done, missing: sayStepsMissing(done, language) };
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

export const MissingStepsLine = ({ organization, missing, isOneOfMany }: MissingSteps) => {
  const { say } = useLanguage();
  return (
    <p class="muted after-board" data-part="first-steps">
      {isOneOfMany
        ? say('First steps of {organization}, still missing: {missing}.', {
            organization: organization.name,
            missing,
          })
        : say('First steps, still missing: {missing}.', { missing })}{' '}
      <a href={settingsPath(FIRST_STEPS, organization)}>{say('Go on')}</a>
    </p>
  );
};

interface Step {
  name: StepName;
  title: string;
  about: string;
  /** What to do about it; null: it is done, or others come first. */
  act: ComponentChildren;
}

type Known = FirstStepsModel & { steps: StoredFirstSteps };

function listSteps(model: Known, language: Language): Step[] {
  const { say } = language;
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
      title: say('Connect a source'),
      about: say(
        'A gateway, a network server or a script that may hand in data. It gets a secret of its own.',
      ),
      act: !done.source && link(say('Connect a source'), '/settings/sources'),
    },
    {
      name: 'reading',
      title: say('Let it send a first reading'),
      about: say('Its page has the lines to copy, and shows what comes in.'),
      act:
        done.source && !done.reading && link(say('Show the lines to copy'), `/settings/sources/${sourceId}`),
    },
    {
      name: 'adopt',
      title: device && !done.adopt ? say('Adopt {key}', { key: device.key }) : say('Adopt its device'),
      about: say(
        'Name it, choose a template with limits, and its curve begins with what it has said already.',
      ),
      act: device && !done.adopt && link(say('Adopt it'), `/settings/devices/${device.id}`),
    },
    {
      name: 'mail',
      title: say('Let mail leave'),
      about: sayMail(steps, language),
      act: done.adopt && !done.mail && <MailStep {...steps} link={link} />,
    },
    {
      name: 'told',
      title: say('Say who is notified'),
      about: done.told
        ? say('A group with somebody in it is notified about critical alarms.')
        : say('Equipment notifies a group of people. Without one its alarms are seen on pages alone.'),
      act: done.adopt && !done.told && <ToldStep {...steps} link={link} />,
    },
    {
      name: 'colleague',
      title: say('Invite a colleague'),
      about:
        steps.worksAlone && !steps.hasColleague
          ? say('You work alone.')
          : say('Somebody who acts when you cannot.'),
      act: done.adopt && !done.colleague && (
        <>
          {link(say('Invite a colleague'), '/settings/members')}
          <StepForm steps={steps} word="alone" label={say('I work alone')} />
        </>
      ),
    },
    {
      name: 'arrived',
      title: say('See a message arrive'),
      about: done.arrived
        ? say('Somebody said that it did.')
        : say('That a message left is no proof. Send a test, look where it should be, and say so here.'),
      act: done.told && !done.arrived && <ArrivedStep {...model} />,
    },
  ];
}

function sayMail({ isMailLeaving, hasMailServer }: StoredFirstSteps, { say }: Language): string {
  if (isMailLeaving) return say('The last mail was handed to a mail server.');
  return hasMailServer
    ? say('A mail server is set, and has taken no mail yet. The test below shows whether it does.')
    : say(
        'Without a mail server nobody is notified by mail, nobody can be invited, and no password is set anew.',
      );
}

type Link = (label: string, path: string) => ComponentChildren;

const MailStep = ({ isKeeper, keepers, link }: StoredFirstSteps & { link: Link }) => {
  const language = useLanguage();
  const { say } = language;
  if (isKeeper) return link(say('Set up mail'), '/settings/delivery');
  return keepers.length === 0
    ? say('Ask whoever runs this server to set it up.')
    : say('Ask {names} to set it up.', { names: listNames(keepers, 'or', language) });
};

const ToldStep = ({ silent, hasGroup, link }: StoredFirstSteps & { link: Link }) => {
  const { say } = useLanguage();
  if (!hasGroup) return link(say('Make a group'), '/settings/groups');
  if (silent && silent.groupId !== null && silent.sendCritical)
    return link(
      say('Put somebody into {group}', { group: silent.groupName ?? '' }),
      `/settings/groups/${silent.groupId}`,
    );
  return silent ? (
    <a class="button button-primary" href={editPath(silent.id)}>
      {say('Choose who is notified')}
    </a>
  ) : null;
};

const ArrivedStep = ({ steps, test, isHandedOver }: Known) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      {test && <p class="step-about">{sayTest(test, language)}</p>}
      <div class="actions">
        {isHandedOver && <StepForm steps={steps} word="arrived" label={say('It arrived')} isPrimary />}
        <StepForm
          steps={steps}
          word="test"
          label={test ? say('Send another test') : say('Send a test')}
          isPrimary={!isHandedOver}
        />
        {steps.testId !== null && (
          <a href={settingsPath(`/settings/tests/${steps.testId}`, steps)}>{say('What became of it')}</a>
        )}
      </div>
    </>
  );
};

function sayTest(test: OutcomeVerdict, language: Language): string {
  if (test.kind === 'under_way') return language.say('The test is on its way.');
  return test.kind === 'well' ? sayWell(test, language) : test.words;
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
export const FirstSteps = (model: FirstStepsModel) => {
  const { steps } = model;
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card first-steps">
      <h2>{say('Nothing is watched yet')}</h2>
      {steps ? (
        <>
          <StepList {...model} steps={steps} />
          <p class="muted">
            {sayWith(
              language,
              'Or describe the whole lab in a file and apply it with <code>tocsin apply lab.yaml</code>, or <a>create a service</a> by hand.',
              {
                code: (inside) => <code>{inside}</code>,
                a: (inside) => <a href={settingsPath('/settings/services', steps)}>{inside}</a>,
              },
            )}
          </p>
        </>
      ) : (
        <p>
          {say(
            'As soon as an administrator of your organization has connected the first equipment, it stands here.',
          )}
        </p>
      )}
    </section>
  );
};

export const StepList = (model: Known) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <ol>
      {listSteps(model, language).map(({ name, title, about, act }) => (
        <li key={name} class={model.done[name] ? 'step-done' : undefined}>
          <strong>{title}</strong>
          {model.done[name] && <span class="muted"> {say('Done')}</span>}
          <p class="step-about">{about}</p>
          {act && <div class="step-about actions">{act}</div>}
        </li>
      ))}
    </ol>
  );
};
