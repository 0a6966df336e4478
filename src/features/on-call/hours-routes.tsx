// The settings of lab hours and holidays.

import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { sayMost } from '../../domain/mosts.ts';
import { readName, sayNameTooLong } from '../../domain/names.ts';
import type { HoursWindow } from '../../domain/on-call/lab-hours.ts';
import { isDay } from '../../domain/on-call/local-instant.ts';
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
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { type HoursRefusal, readHours, readLines, redrawLines } from './hours-form.ts';
import { HOURS, HoursPage } from './hours-view.tsx';

type Refusal = HoursRefusal | 'not_a_day' | 'no_name' | 'name_too_long';

const REFUSALS: Record<Refusal, [field: string, text: Sayable]> = {
  not_a_clock: ['from', message('Write both times like 08:00.')],
  not_a_zone: ['timezone', message('Choose a time zone such as Europe/Berlin.')],
  too_many_lines: ['from', (language) => sayMost('labHours', language)],
  no_day: ['days', message('Choose at least one day of the week.')],
  not_a_day: ['day', message('Write the day like 2026-12-25.')],
  no_name: ['name', message('Give the holiday a name.')],
  name_too_long: ['name', sayNameTooLong],
};

/** A form that is shown again with a line more or less. */
interface Redrawn {
  form: FormFields;
  lines: HoursWindow[];
}

type Verb = SettingsVerb<Refusal, Redrawn>;

const set: Verb = async (tx, requester, { organizationId, form }, now) => {
  const lines = redrawLines(form);
  if (lines) return ok({ shown: { form, lines } });
  const read = readHours(form, requester.timezone);
  if (!read.ok) return read;
  if (await setLabHours(tx, organizationId, read.value, now))
    await writeAudit(
      tx,
      requester,
      { action: 'lab_hours.set', organizationId, detail: { ...read.value } },
      now,
    );
  return ok({});
};

const clear: Verb = async (tx, requester, { organizationId }, now) => {
  if (await removeLabHours(tx, organizationId, now))
    await writeAudit(tx, requester, { action: 'lab_hours.remove', organizationId }, now);
  return ok({});
};

const addHoliday: Verb = async (tx, requester, { organizationId, form }, now) => {
  const { day = '' } = form;
  if (!isDay(day)) return refuse('not_a_day');
  const name = readName(form.name);
  if (!name.ok) return name;
  const holiday = { day, name: name.value };
  if (await setHolidays(tx, organizationId, [holiday], now))
    await writeAudit(tx, requester, { action: 'holiday.add', organizationId, detail: holiday }, now);
  return ok({});
};

const takeHoliday: Verb = async (tx, requester, { organizationId, form }, now) => {
  const { day = '' } = form;
  if (isDay(day) && (await removeHoliday(tx, organizationId, day, now)))
    await writeAudit(tx, requester, { action: 'holiday.remove', organizationId, detail: { day } }, now);
  return ok({});
};

/** What a form begins with where nothing is set. */
const USUAL: HoursWindow = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };

export const routeHoursPage = (app: HttpServer, deps: { db: Database; publicUrl: () => URL | null }): void =>
  routeDesk(app, deps, {
    url: HOURS,
    verbs: { set, clear, 'add-holiday': addHoliday, 'remove-holiday': takeHoliday },
    refusals: REFUSALS,
    questions: {
      clear: async ({ organization, visitor: { language } }) => {
        const { say } = language;
        return (await selectLabHours(deps.db, organization.id))
          ? {
              act: say('Remove the hours'),
              says: [say('From now on everybody counts at any hour.')],
              canUndo: false,
            }
          : null;
      },
    },
    done: {
      set: message('These are the lab hours from now on.'),
      clear: message('There are no lab hours: everybody counts at any hour.'),
      'add-holiday': message('The holiday is noted.'),
      'remove-holiday': message('The holiday is removed.'),
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const hours = await selectLabHours(deps.db, organization.id);
      const holidays = await selectHolidays(deps.db, organization.id);
      const { fault, shown } = news;
      const typed = fault?.word === 'set' ? { form: fault.typed, lines: readLines(fault.typed) } : shown;
      return (
        <HoursPage
          frame={frameOf(visit, news)}
          hours={hours}
          holidays={holidays}
          fault={fault}
          draft={{
            timeZone: typed?.form.timezone ?? hours?.timeZone ?? visitor.timezone,
            weekly: typed?.lines ?? hours?.weekly ?? [USUAL],
            isAdded: shown?.form.add !== undefined,
          }}
        />
      );
    },
  });
