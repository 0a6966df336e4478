import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { isEmail, normaliseEmail } from '../../domain/accounts/email.ts';
import {
  type AcceptedPassword,
  PASSWORD_FAULTS,
  type PasswordFault,
  SHORTEST_PASSWORD,
} from '../../domain/accounts/password.ts';
import { provedToBe, type Requester, withoutAccount } from '../../domain/accounts/requester.ts';
import { countFailure, secondsToWait } from '../../domain/accounts/sign-in-throttle.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { LONGEST_NAME, sayNameTooLong } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { acceptPassword } from '../../engine/accounts/accept-password.ts';
import { createAccount } from '../../engine/accounts/accounts.ts';
import { makeKeeper } from '../../engine/accounts/keepers.ts';
import { setRole } from '../../engine/accounts/memberships.ts';
import { selectFailures, upsertFailures } from '../../engine/accounts/sign-in-failures.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeLanguage, selectLanguage } from '../../engine/organizations/language.ts';
import { findOrMakeOrganization } from '../../engine/organizations/organizations.ts';
import { UNKNOWN_LANGUAGE } from '../../engine/pages/language-field.tsx';
import { hashPassword } from '../../platform/auth/password.ts';
import type { Database } from '../../platform/db/database.ts';
import { findLanguage } from '../../platform/languages/languages.ts';
import { deleteCodes, hasAccount, lockSetup } from './queries.ts';
import { isSetupCode } from './setup-code.ts';

export interface SetUpForm {
  code: string;
  organization: string;
  name: string;
  email: string;
  password: string;
  timezone: string;
  /** Of the account and its organization; empty: none. */
  language: string;
}

export type FieldFault =
  | 'wrong_code'
  | 'no_organization'
  | 'organization_too_long'
  | 'no_name'
  | 'name_too_long'
  | 'no_email'
  | PasswordFault
  | 'unknown_timezone'
  | 'unknown_language';
export type SetUpRefusal =
  | { reason: FieldFault }
  | { reason: 'already_set_up' }
  | { reason: 'throttled'; seconds: number };

export const FIELD_FAULTS: Record<FieldFault, [field: keyof SetUpForm, text: Sayable]> = {
  wrong_code: [
    'code',
    message('This is not the code. The program says it where it was started, and in its log.'),
  ],
  no_organization: ['organization', message('Enter the name of your lab or institute.')],
  organization_too_long: ['organization', sayNameTooLong],
  no_name: ['name', message('Enter your name, as others will see it.')],
  name_too_long: ['name', sayNameTooLong],
  no_email: ['email', message('Enter your email address, such as you@lab.example.')],
  password_too_short: [
    'password',
    ({ say }) => say('Choose a password of at least {least} characters.', { least: SHORTEST_PASSWORD }),
  ],
  password_too_common: ['password', PASSWORD_FAULTS.password_too_common],
  password_too_personal: ['password', PASSWORD_FAULTS.password_too_personal],
  unknown_timezone: ['timezone', message('Unknown time zone. Write it like Europe/Berlin.')],
  unknown_language: ['language', UNKNOWN_LANGUAGE],
};

export interface NewLab {
  accountId: AccountId;
  organizationId: OrganizationId;
}

/** The first account, administrator of the first organization. The code comes first: without it nothing else is looked at. */
export async function setUp(
  db: Database,
  requester: Requester,
  form: SetUpForm,
  now: Date,
): Promise<Result<NewLab, SetUpRefusal>> {
  const coded = await checkCode(db, form.code, bucketOf(requester.address ?? ''), now);
  if (!coded.ok) return coded;
  const checked = checkForm(form);
  if (!checked.ok) return refuse({ reason: checked.refusal });

  const passwordHash = await hashPassword(checked.value);
  const { timezone } = form;
  const language = form.language || null;
  const [organization, name, email] = [
    form.organization.trim(),
    form.name.trim(),
    normaliseEmail(form.email),
  ];
  return db.transaction(async (tx): Promise<Result<NewLab, SetUpRefusal>> => {
    await lockSetup(tx);
    if (await hasAccount(tx)) return refuse({ reason: 'already_set_up' });
    // Void by now if it was used, or pushed out by the starts of other programs.
    if (!(await isSetupCode(tx, form.code))) return refuse({ reason: 'wrong_code' });
    const firstRun = withoutAccount('first run', requester);
    const account = { email, name, timezone, language, passwordHash, isActive: true };
    const accountId = await createAccount(tx, firstRun, account, now);
    // It may be there already, from a lab file without people.
    const organizationId = await findOrMakeOrganization(tx, organization, now);
    if ((await selectLanguage(tx, organizationId)) === null)
      await changeLanguage(tx, organizationId, language);
    if (accountId === null) throw new Error('The first account was not made');
    await setRole(tx, { accountId, organizationId, role: 'administrator' }, now);
    await makeKeeper(tx, firstRun, accountId, now);
    await deleteCodes(tx);
    const self = provedToBe(firstRun, { id: accountId, name });
    await writeAudit(tx, self, { action: 'setup.complete', organizationId, detail: { organization } }, now);
    return ok({ accountId, organizationId });
  });
}

// Counted beside failed sign-ins, under a name that is no email address.
const THROTTLED = 'first-run setup';

const checkCode = (
  db: Database,
  code: string,
  address: string,
  now: Date,
): Promise<Result<null, SetUpRefusal>> =>
  db.transaction(async (tx) => {
    await lockSetup(tx);
    if (await hasAccount(tx)) return refuse({ reason: 'already_set_up' });
    const failed = await selectFailures(tx, THROTTLED, address);
    const seconds = secondsToWait(failed, now);
    if (seconds > 0) return refuse({ reason: 'throttled', seconds });
    if (await isSetupCode(tx, code)) return ok(null);
    await upsertFailures(tx, THROTTLED, address, countFailure(failed, now), now);
    return refuse({ reason: 'wrong_code' });
  });

function checkForm({
  organization,
  name,
  email,
  password,
  timezone,
  language,
}: SetUpForm): Result<AcceptedPassword, FieldFault> {
  if (organization.trim() === '') return refuse('no_organization');
  if ([...organization.trim()].length > LONGEST_NAME) return refuse('organization_too_long');
  if (name.trim() === '') return refuse('no_name');
  if ([...name.trim()].length > LONGEST_NAME) return refuse('name_too_long');
  if (!isEmail(normaliseEmail(email))) return refuse('no_email');
  if (!isTimeZone(timezone)) return refuse('unknown_timezone');
  if (language !== '' && !findLanguage(language)) return refuse('unknown_language');
  return acceptPassword(password, { email: normaliseEmail(email), name: name.trim() });
}
