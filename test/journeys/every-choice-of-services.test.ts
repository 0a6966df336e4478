// Whatever forms about services offer to choose can be stored: each choice is read from the page, sent as a browser sends it,
// and found in the database and on the page. A choice that is added is tried without a line here.
import sql from 'sql-template-tag';
import { beforeAll } from 'vitest';
import {
  type ChoiceHouse,
  oneOfEachShape,
  openChoiceHouse,
  type Tries,
  testChoices,
} from '../support/choice-house.ts';
import { HOT } from '../support/notification-desk.ts';

let house: ChoiceHouse;
beforeAll(async () => {
  house = await openChoiceHouse();
});

const RULES: Record<string, string> = { day: 'DAILY', week: 'WEEKLY' };

/** A service has 20 series at most: each field is tried on one of its own. */
const inSeries = (field: string): Tries => {
  let serviceId = 0;
  return {
    [`/downtimes/series ${field}`]: {
      page: async (turn) => {
        if (turn === 0) serviceId = (await house.addFreezer()).id;
        return '/downtimes/series';
      },
      leftOut: field === 'service_id' ? [''] : [],
      typed: (_, turn) => ({
        ...(field !== 'service_id' && { service_id: String(serviceId) }),
        first_day: '2026-11-18',
        until_day: '2027-03-01',
        reason: `series ${field} ${turn}`,
      }),
      stored: ({ name, value }, turn) => sql`
      select from downtime_series where reason = ${`series ${field} ${turn}`} and case ${name}
        when 'unit' then rule like ${`FREQ=${RULES[value] ?? 'MONTHLY'}%`}
        when 'duration' then minutes::text = ${value}
        when 'service_id' then service_id::text = ${value}
        else ${value} = '' or rule like ${`%BYDAY=${name}`} end`,
      shown: (_, turn) => `series ${field} ${turn}`,
    },
  };
};

const inEdit = (field: string, typed: Tries[string]['typed'] = () => ({})): Tries => {
  const name = field.replaceAll(/[[\]]/g, '');
  return {
    [`/services/:id/edit ${field}`]: {
      page: () => `/services/${house.freezer.id}`,
      typed,
      stored: ({ value }) => sql`
        select from service_settings settings left join limits_version limits
          on limits.service_id = settings.service_id and channel = 'temperature' and retired_at is null
        where settings.service_id = ${house.freezer.id} and coalesce(
          coalesce(to_jsonb(settings)->>${name}, to_jsonb(limits)->>${name}), '')
          = ${field.startsWith('[') ? String(value !== '') : value}`,
    },
  };
};

const percent = { is_percentage: 'on', ch_high: '20', wh_high: '10' };
const ofPercent: Tries[string]['typed'] = ({ name, value }) =>
  value === '' ? {} : name === 'setpoint_channel' ? percent : { ...percent, setpoint_channel: 'setpoint' };

testChoices(() => house, {
  '/alarms/:id/mute minutes': {
    page: async () => {
      const { id, reads } = await house.addFreezer();
      await reads(HOT);
      return `/alarms/${id}`;
    },
    typed: (_, turn) => ({ reason: `mute ${turn}` }),
    stored: ({ value }, turn) => sql`
      select from mute where reason = ${`mute ${turn}`} and (ends_at - created_at)
        is not distinct from ${value === 'none' ? null : `${value} minutes`}::interval`,
    shown: () => 'uted',
  },
  '/downtimes duration': {
    page: () => '/downtimes',
    typed: (_, turn) => ({
      service_id: String(house.freezer.id),
      start_time: `2027-0${turn + 1}-01T10:00`,
      reason: `so long ${turn}`,
    }),
    stored: ({ value }, turn) => sql`
      select from downtime where reason = ${`so long ${turn}`} and end_at - start_at = ${`${value} minutes`}::interval`,
    shown: (_, turn) => `so long ${turn}`,
  },
  '/downtimes service_id': {
    page: async () => {
      await house.addFreezer();
      return '/downtimes';
    },
    leftOut: [''],
    typed: (_, turn) => ({ start_time: `2028-01-0${turn + 1}T10:00`, reason: `of ${turn}` }),
    stored: ({ value }, turn) =>
      sql`select from downtime where reason = ${`of ${turn}`} and service_id = ${Number(value)}`,
    shown: (_, turn) => `of ${turn}`,
  },
  ...inSeries('unit'),
  ...inSeries('duration'),
  ...inSeries('service_id'),
  ...Object.assign({}, ...['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'].map((day) => inSeries(`[${day}]`))),
  ...inEdit('notification_group_id'),
  ...inEdit('[send_critical]'),
  ...inEdit('[send_warning]'),
  ...inEdit('[send_acknowledgements]'),
  ...inEdit('[send_recoveries]'),
  ...inEdit('[enable_system_notifications]'),
  ...inEdit('[is_percentage]', ({ value }) =>
    value === '' ? {} : { ...percent, setpoint_channel: 'setpoint' },
  ),
  ...inEdit('setpoint_channel', ofPercent),
  ...inEdit('state_channel', ofPercent),
  '/services/:id/drill [climb]': {
    page: async () => `/services/${(await house.addFreezer()).id}/drill`,
    stored: ({ value }) => sql`
      select from drill left join drill_climb using (episode_id)
      where drill.id = (select max(id) from drill) and (drill_climb.episode_id is not null) = ${value !== ''}`,
    shown: () => 'by Ada',
  },
  '/on-call/:id/appoint account_id': {
    page: () => '/on-call',
    typed: (_, turn) => ({
      start: `2026-12-0${turn + 1}T10:00`,
      end: `2026-12-0${turn + 1}T12:00`,
      reason: `instead ${turn}`,
    }),
    stored: ({ value }, turn) =>
      sql`select from rota_stand_in where reason = ${`instead ${turn}`} and account_id = ${Number(value)}`,
    shown: ({ label }) => label,
  },
  '/profile/save timezone': {
    page: () => '/profile',
    only: oneOfEachShape,
    stored: ({ value }) => sql`select from account where id = ${house.lab.ada.id} and timezone = ${value}`,
  },
});
