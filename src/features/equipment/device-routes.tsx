import { readPageId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import {
  add,
  adoptAsNewService,
  assign,
  DEVICE_REFUSALS,
  forget,
  setUplinkInterval,
} from './change-devices.ts';
import { type Device, selectDevice, selectDevices } from './device-rows.ts';
import { type DeviceModel, DevicePage, DevicesPage } from './devices-view.tsx';
import { readListPage } from './list-page.ts';
import { DEVICES } from './paths.ts';
import { selectServicesWithoutDevice } from './service-rows.ts';

interface DevicePageDeps {
  db: Database;
  publicUrl: URL | null;
}

export function routeDevicePages(app: HttpServer, deps: DevicePageDeps): void {
  const { db } = deps;
  routeDesk(app, deps, {
    url: DEVICES,
    verbs: { add },
    refusals: DEVICE_REFUSALS,
    done: { forget: 'Forgotten. Should it report again, it is back in the list.' },
    show: async (visit, news) => {
      const { organization, visitor, query } = visit;
      const text = (query.q ?? '').trim();
      const { page, skip, most, cut } = readListPage(query.page);
      const found = await selectDevices(db, organization.id, text, { skip, most });
      const models = found.map((device) => describeDevice(device, visitor));
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
    done: {
      add: 'Added. Now say which service it is for.',
      assign: 'From now on its data is kept for this service.',
      release: 'Released. Its data is kept for no service any more.',
      interval: 'The interval is saved.',
    },
    show: async (visit, news) => {
      const { organization, visitor, params } = visit;
      const device = await selectDevice(db, organization.id, readPageId(params.device_id) ?? 0);
      if (!device) return null;
      return (
        <DevicePage
          frame={frameOf(visit, news)}
          device={describeDevice(device, visitor)}
          services={await selectServicesWithoutDevice(db, organization.id)}
          fault={news.fault}
        />
      );
    },
  });
}

const describeDevice = (device: Device, reader: Reader): DeviceModel => ({
  ...device,
  firstSeen: device.firstSeenAt && showTime(device.firstSeenAt, reader),
  lastSeen: device.lastSeenAt && showTime(device.lastSeenAt, reader),
  clockSuspect: device.clockSuspectAt && showTime(device.clockSuspectAt, reader),
});
