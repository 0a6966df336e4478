import { groupBy } from '../../domain/group-by.ts';
import { message } from '../../domain/language/message.ts';
import { type LastSaid, selectLastSaid } from '../../engine/equipment/waiting-readings.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import {
  type Fault,
  frameOf,
  routeDesk,
  routeSettingsPage,
  type SettingsVisit,
} from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerFragment, renderFragment, wantsFragment } from '../../platform/html/fragment.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { adoptAsNewService } from './adopt-as-new-service.ts';
import { fieldOf, fillIn, fillInAll, listChannels } from './adoption-form.ts';
import { readAdoptionModel, sayLast } from './adoption-model.ts';
import { ChannelFields } from './adoption-view.tsx';
import { askForget, askRelease } from './ask-equipment.ts';
import { add, assign, DEVICE_REFUSALS, forget, setUplinkInterval } from './change-devices.ts';
import { type Device, selectDevice, selectDevices } from './device-rows.ts';
import { type DeviceModel, DevicePage, DevicesPage } from './devices-view.tsx';
import { readListPage } from './list-page.ts';
import { DEVICES } from './paths.ts';
import { selectServiceNames } from './service-rows.ts';

export interface DevicePageDeps {
  db: Database;
  publicUrl: () => URL | null;
  /** What devices said before they were adopted. */
  bringAlong: (now: Date) => Promise<void>;
}

export function routeDevicePages(app: HttpServer, deps: DevicePageDeps): void {
  const { db } = deps;
  routeDesk(app, deps, {
    url: DEVICES,
    verbs: { add },
    refusals: DEVICE_REFUSALS,
    done: { forget: message('Forgotten. Should it report again, it is back in the list.') },
    show: async (visit, news) => {
      const { organization, visitor, query } = visit;
      const text = (query.q ?? '').trim();
      const { page, skip, most, cut } = readListPage(query.page);
      const found = await selectDevices(db, organization.id, text, { skip, most });
      const waiting = found.filter(({ serviceId }) => serviceId === null).map(({ id }) => id);
      const said = await selectLastSaid(db, waiting, { now: visitor.now, most: MOST_LOOKED_AT });
      const saidBy = groupBy(said, ({ deviceId }) => deviceId);
      const models = await inSlices(
        eachInTurn(found, (device) => describeDevice(device, saidBy.get(device.id) ?? [], visitor)),
      );
      return (
        <DevicesPage
          frame={frameOf(visit, news)}
          {...cut(models, 'devices')}
          text={text}
          page={page}
          fault={news.fault}
        />
      );
    },
  });

  routeDesk(app, deps, {
    url: `${DEVICES}/:device_id`,
    verbs: { assign, 'new-service': adoptAsNewService, interval: setUplinkInterval, forget },
    refusals: DEVICE_REFUSALS,
    questions: { assign: askRelease(db), forget: askForget(db) },
    afterwards: (_word, { visitor }) => deps.bringAlong(visitor.now),
    done: {
      add: message('Added. Now say which service it is for.'),
      assign: message('From now on its data is kept for this service.'),
      release: message('Released. Its data is kept for no service any more.'),
      interval: message('The interval is saved.'),
    },
    show: async (visit, news) => {
      const { organization, params } = visit;
      const device = await selectDevice(db, organization.id, readPageId(params.device_id) ?? 0);
      return device && showDevice(visit, device, news);
    },
  });

  const showDevice = async (visit: SettingsVisit, device: Device, news: DeviceNews) => {
    const { organization, visitor } = visit;
    const typed = news.typed ?? (news.fault?.word === 'new-service' ? news.fault.typed : null);
    return (
      <DevicePage
        frame={frameOf(visit, news)}
        device={describeDevice(device, [], visitor)}
        services={await selectServiceNames(db, organization.id)}
        adoption={device.serviceId === null ? await readAdoptionModel(db, visit, device, typed) : null}
        fault={news.fault}
      />
    );
  };

  // A template was chosen, in the form that is being filled in; changes nothing.
  routeSettingsPage(app, deps, {
    method: 'POST',
    url: `${DEVICES}/:device_id/template`,
    show: async (visit) => {
      const { organization, params, query, form, request, reply } = visit;
      const device = await selectDevice(db, organization.id, readPageId(params.device_id) ?? 0);
      if (!device) return answerErrorPage(reply, 404);
      if (!wantsFragment(request)) {
        const news = { done: null, fault: null, typed: fillInAll(form) };
        return answerPage(reply, 200, await showDevice(visit, device, news));
      }
      const number = Number(query.channel);
      const filled = { ...form, ...fillIn(number, form[fieldOf(number, 'template')]) };
      const { values, said: all } = await readAdoptionModel(db, visit, device, filled);
      const said = all[number];
      if (!said) return answerErrorPage(reply, 404);
      const props = { frame: frameOf(visit), deviceId: device.id, number, said, values, fault: null };
      return answerFragment(reply, renderFragment(<ChannelFields {...props} />, visit.visitor.language));
    },
  });
}

interface DeviceNews {
  done: string | null;
  fault: Fault | null;
  /** What was typed so far, where it is no fault. */
  typed?: FormFields;
}

/** Of the channels of one device: those are chosen that matter. */
const MOST_LOOKED_AT = 20;
const MOST_SAID = 3;

const describeDevice = (device: Device, said: readonly LastSaid[], reader: Reader): DeviceModel => ({
  ...device,
  said: listChannels(said)
    .slice(0, MOST_SAID)
    .map((one) => sayLast(one, reader)),
  unsaid: Math.max(0, (said[0]?.channels ?? 0) - MOST_SAID),
  firstSeen: device.firstSeenAt && showTime(device.firstSeenAt, reader),
  lastSeen: device.lastSeenAt && showTime(device.lastSeenAt, reader),
  clockSuspect: device.clockSuspectAt && showTime(device.clockSuspectAt, reader),
});
