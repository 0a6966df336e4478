// What is asked before a service is archived, and before a device is taken from it.
import type { ServiceId } from '../../domain/ids.ts';
import type { AskAct } from '../../engine/pages/ask-settings.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { sayDeprived } from '../../engine/pages/say-deprived.ts';
import { foreseeUnit, sayOutlook } from '../../engine/services/foresee-unit.ts';
import type { Database } from '../../platform/db/database.ts';
import { assign } from './change-devices.ts';
import { archive } from './change-services.ts';
import { selectDevice } from './device-rows.ts';
import { selectService } from './service-rows.ts';

export const askArchive =
  (db: Database): AskAct =>
  async ({ organization, params, form, visitor }) => {
    const { language } = visitor;
    const { say } = language;
    const serviceId = readPageId<ServiceId>(params.service_id);
    const service = serviceId && (await selectService(db, organization.id, serviceId));
    if (!service || service.archivedAt) return null;
    const input = { organizationId: organization.id, params, form };
    const outlook = await foreseeUnit(db, service.id, (tx) => archive(tx, visitor, input, visitor.now));
    return {
      act: say('Archive {name}', { name: service.name }),
      says: [
        ...(outlook ? sayOutlook(outlook, language) : []),
        say('From now on it takes in no data, raises no alarm and has no page. Its history is kept.'),
        ...(await sayDeprived(db, service.id, language)),
      ],
      canUndo: true,
    };
  };

/** Of the form that takes a device from its service, and gives it to none. */
export const askRelease =
  (db: Database): AskAct =>
  async ({ organization, params, form, visitor }) => {
    const { language } = visitor;
    const { say } = language;
    const device = await selectDevice(db, organization.id, readPageId(params.device_id) ?? 0);
    if (!device?.serviceId || form.service_id !== '') return null;
    const input = { organizationId: organization.id, params, form };
    const outlook = await foreseeUnit(db, device.serviceId, (tx) => assign(tx, visitor, input, visitor.now));
    const serviceName = device.serviceName ?? '';
    return {
      act: say('Release from {serviceName}', { serviceName }),
      says: [
        say('{serviceName} gets no data of {device} from now on.', { serviceName, device: device.key }),
        ...(outlook ? sayOutlook(outlook, language) : []),
      ],
      canUndo: true,
    };
  };

export const askForget =
  (db: Database): AskAct =>
  async ({ organization, params, visitor }) => {
    const { say } = visitor.language;
    const device = await selectDevice(db, organization.id, readPageId(params.device_id) ?? 0);
    if (!device || device.serviceId !== null) return null;
    return {
      act: say('Forget this device'),
      says: [
        say('The last readings that wait with it are gone.'),
        say('Should it report again, it is back in the list.'),
      ],
      canUndo: false,
    };
  };
