import type { ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { askArchive } from './ask-equipment.ts';
import { CHANNEL_REFUSALS, save } from './change-channels.ts';
import {
  ASSET_REFUSALS,
  changeAsset,
  changeLocation,
  createAsset,
  createLocation,
  LOCATION_REFUSALS,
  removeAsset,
  removeLocation,
} from './change-places.ts';
import { archive, create, place, restore, SERVICE_REFUSALS } from './change-services.ts';
import { selectChannels } from './channel-rows.ts';
import { ChannelsPage } from './channels-view.tsx';
import { type DevicePageDeps, routeDevicePages } from './device-routes.tsx';
import { readListPage } from './list-page.ts';
import { ASSETS, CHANNELS, LOCATIONS, SERVICES } from './paths.ts';
import { selectAssets, selectLocations } from './place-rows.ts';
import { AssetsPage, LocationsPage } from './places-view.tsx';
import { selectService, selectServiceNames, selectServices } from './service-rows.ts';
import { ServicePage, ServicesPage } from './services-view.tsx';

export type EquipmentDeps = DevicePageDeps;

export function routeEquipmentPages(app: HttpServer, deps: EquipmentDeps): void {
  routeServices(app, deps);
  routeChannels(app, deps);
  routeDevicePages(app, deps);
  routePlaces(app, deps);
}

const namesOf = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);

function routeServices(app: HttpServer, deps: EquipmentDeps): void {
  const { db } = deps;
  routeDesk(app, deps, {
    url: SERVICES,
    verbs: { create },
    refusals: SERVICE_REFUSALS,
    done: {},
    show: async (visit, news) => {
      const { organization, query } = visit;
      const search = { text: (query.q ?? '').trim(), isArchived: query.show === 'archived' };
      const { page, skip, most, cut } = readListPage(query.page);
      const [found, assets] = await Promise.all([
        selectServices(db, organization.id, search, { skip, most }),
        selectAssets(db, organization.id),
      ]);
      return (
        <ServicesPage
          frame={frameOf(visit, news)}
          {...cut(found, 'services')}
          assets={namesOf(assets)}
          search={search}
          page={page}
          fault={news.fault}
        />
      );
    },
  });

  routeDesk(app, deps, {
    url: `${SERVICES}/:service_id`,
    verbs: { place, archive, restore },
    refusals: SERVICE_REFUSALS,
    questions: { archive: askArchive(db) },
    done: {
      create: message('The service is there. Give it a device, then set its limits on its own page.'),
      place: message('The asset is saved.'),
      archive: message('Archived. It raises no alarm any more.'),
      restore: message('Restored. It is watched again.'),
    },
    show: async (visit, news) => {
      const { organization, params, visitor } = visit;
      const serviceId = readPageId<ServiceId>(params.service_id);
      const service = serviceId && (await selectService(db, organization.id, serviceId));
      if (!service) return null;
      return (
        <ServicePage
          frame={frameOf(visit, news)}
          service={service}
          archived={service.archivedAt && showTime(service.archivedAt, visitor)}
          assets={namesOf(await selectAssets(db, organization.id))}
          fault={news.fault}
        />
      );
    },
  });
}

const routeChannels = (app: HttpServer, deps: EquipmentDeps): void =>
  routeDesk(app, deps, {
    url: CHANNELS,
    verbs: { save },
    refusals: CHANNEL_REFUSALS,
    done: { save: message('Saved.') },
    show: async (visit, news) => {
      const services = await selectServiceNames(deps.db, visit.organization.id);
      const asked = visit.query.service;
      const service = services.find(({ id }) => id === readPageId(asked)) ?? null;
      if (asked !== undefined && !service) return null;
      const channels = service ? await selectChannels(deps.db, service.id) : [];
      return (
        <ChannelsPage
          frame={frameOf(visit, news)}
          services={services}
          service={service}
          channels={channels}
          fault={news.fault}
        />
      );
    },
  });

function routePlaces(app: HttpServer, deps: EquipmentDeps): void {
  const { db } = deps;
  routeDesk(app, deps, {
    url: LOCATIONS,
    verbs: { create: createLocation, rename: changeLocation, delete: removeLocation },
    refusals: LOCATION_REFUSALS,
    done: { create: message('Added.'), rename: message('Renamed.'), delete: message('Deleted.') },
    show: async (visit, news) => {
      const locations = await selectLocations(db, visit.organization.id);
      return <LocationsPage frame={frameOf(visit, news)} locations={locations} fault={news.fault} />;
    },
  });

  routeDesk(app, deps, {
    url: ASSETS,
    verbs: { create: createAsset, edit: changeAsset, delete: removeAsset },
    refusals: ASSET_REFUSALS,
    done: { create: message('Added.'), edit: message('Saved.'), delete: message('Deleted.') },
    show: async (visit, news) => {
      const { organization } = visit;
      const [assets, locations] = await Promise.all([
        selectAssets(db, organization.id),
        selectLocations(db, organization.id),
      ]);
      return (
        <AssetsPage
          frame={frameOf(visit, news)}
          assets={assets}
          locations={namesOf(locations)}
          fault={news.fault}
        />
      );
    },
  });
}
