import { h } from 'preact';
import { roleIn } from '../../../domain/accounts/requester.ts';
import { canAdminister } from '../../../domain/accounts/role.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { readGuidanceOf } from '../../../engine/guidance/guidance-rows.ts';
import { readAddressDoubt } from '../../../engine/pages/address-warning.tsx';
import { answerErrorPage, answerPage } from '../../../engine/pages/answer-page.ts';
import { routePage, type Visit } from '../../../engine/pages/page-routes.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { type DoorSigner, doorPath, selectOpenDoors } from '../../../engine/services/doors.ts';
import type { Database, ReadDatabase } from '../../../platform/db/database.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { hasBoxes, readUnits } from '../list/boxes.ts';
import { selectServices } from '../list/list-queries.ts';
import { listFor } from '../list/list-services.ts';
import { readFilter, type ServiceFilter, writeFilter } from '../list/service-filter.ts';
import { findService } from '../shown-service/find-service.ts';
import { StickersPage } from './stickers-view.tsx';

/** More would be a book. */
const MOST_STICKERS = 200;

interface StickerDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: DoorSigner;
}

interface Shown {
  services: { id: ServiceId; name: string; assetName: string | null; locationName: string | null }[];
  back: { path: string; label: string };
  /** Where the door card of the only one is renewed, by whoever may. */
  renewPath: string | null;
}

export function routeStickers(app: HttpServer, deps: StickerDeps): void {
  const { db } = deps;

  const show = async (
    { request, reply, visitor, query }: Visit & { visitor: Visitor },
    { services, back, renewPath }: Shown,
  ) => {
    const printed = services.slice(0, MOST_STICKERS);
    const ids = printed.map(({ id }) => id);
    const guidance = await readGuidanceOf(db, ids);
    const doors = await readDoors(deps, ids);
    const stickers = printed.map(({ id, name, assetName, locationName }) => ({
      id,
      name,
      path: doors.get(id) ?? `/services/${id}`,
      guidance: guidance.get(id) ?? null,
      place: [assetName, locationName].filter((part): part is string => part !== null && part !== name),
    }));
    const origin = deps.publicUrl()?.origin ?? `${request.protocol}://${request.host}`;
    const { say } = visitor.language;
    const props = {
      visitor,
      stickers,
      origin,
      doubt: await readAddressDoubt(db, visitor, origin),
      hasMore: services.length > MOST_STICKERS,
      back,
      leadTo: doors.size === 0 ? 'sign_in' : doors.size === ids.length ? 'door_card' : 'either',
      renewPath: doors.size > 0 ? renewPath : null,
      news:
        query.done === 'door-card'
          ? say('Renewed: the sticker that hangs there leads nowhere any more. Print this one.')
          : null,
    } as const;
    return answerPage(reply, 200, h(StickersPage, props));
  };

  routePage(app, deps, {
    method: 'GET',
    url: '/stickers',
    show: async (visit) => {
      const { visitor, query } = visit;
      const filter: ServiceFilter = { ...readFilter(query), page: 1 };
      const listed = {
        ...(await listFor(db, visitor, filter)),
        ...(hasBoxes(query) && { only: readUnits(query) }),
      };
      const services = await selectServices(db, listed, { skip: 0, most: MOST_STICKERS + 1 });
      const back = { path: writeFilter(filter), label: visitor.language.say('Equipment') };
      return show(visit, { services, back, renewPath: null });
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/services/:service_id/sticker',
    show: async (visit) => {
      const { request, reply, visitor, params } = visit;
      const found = await findService(db, visitor, params.service_id, request.now);
      if (!found) return answerErrorPage(reply, 404);
      const { service } = found;
      const path = `/services/${service.id}`;
      const mayRenew = canAdminister(roleIn(visitor, service.organizationId));
      return show(visit, {
        services: [service],
        back: { path, label: service.name },
        renewPath: mayRenew ? `${path}/door-card/renew` : null,
      });
    },
  });
}

const readDoors = async (
  { db, signer }: { db: ReadDatabase; signer: DoorSigner },
  serviceIds: readonly ServiceId[],
): Promise<Map<ServiceId, string>> =>
  new Map((await selectOpenDoors(db, serviceIds)).map((door) => [door.serviceId, doorPath(signer, door)]));
