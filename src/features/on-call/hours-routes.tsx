// The settings of lab hours and holidays.

import { LONGEST_NAME, readName } from '../../domain/names.ts';
import { WEEKDAYS } from '../../domain/on-call/lab-hours.ts';
import { isClock, isDay } from '../../domain/on-call/local-instant.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  removeHoliday,
  removeLabHours,
  selectHolidays,
  selectLabHours,
  setHolidays,
  setLabHours,
} from '../../engine/on-call/lab-hours.ts';
import { frameOf, routeDesk, type SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { HOURS, HoursPage } from './hours-view.tsx';

type Refusal = 'not_a_clock' | 'no_day' | 'not_a_day' | 'no_name' | 'name_too_long';

const REFUSALS: Record<Refusal, [field: string, text: string]> = {
  not_a_clock: ['from', 'Write both times like 08:00.'],
  no_day: ['days', 'Choose at least one day of the week.'],
  not_a_day: ['day', 'Write the day like 2026-12-25.'],
  no_name: ['name', 'Give the holiday a name.'],
  name_too_long: ['name', `Choose a name of at most ${LONGEST_NAME} characters.`],
};

/** The same hours on all days that are chosen; the lab file can say more. */
const set: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const { from = '', to = '' } = form;
  if (!isClock(from) || !isClock(to)) return refuse('not_a_clock');
  const days = WEEKDAYS.flatMap((day, index) => (form[day] === 'yes' ? [index + 1] : []));
  if (days.length === 0) return refuse('no_day');
  const hours = { timeZone: requester.timezone, weekly: [{ days, from, to }] };
  if (await setLabHours(tx, organizationId, hours, now))
    await writeAudit(tx, requester, { action: 'lab_hours.set', organizationId, detail: hours }, now);
  return ok({});
};

const clear: SettingsVerb<Refusal> = async (tx, requester, { organizationId }, now) => {
  if (await removeLabHours(tx, organizationId, now))
    await writeAudit(tx, requester, { action: 'lab_hours.remove', organizationId }, now);
  return ok({});
};

const addHoliday: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const { day = '' } = form;
  if (!isDay(day)) return refuse('not_a_day');
  const name = readName(form.name);
  if (!name.ok) return name;
  const holiday = { day, name: name.value };
  if (await setHolidays(tx, organizationId, [holiday], now))
    await writeAudit(tx, requester, { action: 'holiday.add', organizationId, detail: holiday }, now);
  return ok({});
};

const takeHoliday: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const { day = '' } = form;
  if (isDay(day) && (await removeHoliday(tx, organizationId, day, now)))
    await writeAudit(tx, requester, { action: 'holiday.remove', organizationId, detail: { day } }, now);
  return ok({});
};

export const routeHoursPage = (app: HttpServer, deps: { db: Database; publicUrl: () => URL | null }): void =>
  routeDesk(app, deps, {
    url: HOURS,
    verbs: { set, clear, 'add-holiday': addHoliday, 'remove-holiday': takeHoliday },
    refusals: REFUSALS,
    done: {
      set: 'These are the lab hours from now on.',
      clear: 'There are no lab hours: everybody counts at any hour.',
      'add-holiday': 'The holiday is noted.',
      'remove-holiday': 'The holiday is removed.',
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const hours = await selectLabHours(deps.db, organization.id);
      const holidays = await selectHolidays(deps.db, organization.id);
      const props = { frame: frameOf(visit, news), hours, holidays, fault: news.fault };
      return <HoursPage {...props} timeZone={visitor.timezone} />;
    },
  });
