import { writeAudits } from '../../audit/write-audit.ts';
import { administerServices } from '../../services/administer-service.ts';
import { archiveServices } from '../../services/services.ts';
import type { ManyAct, UnitStep } from './many-act.ts';

/** Each can be restored in the settings; its alarm and who acknowledged it do not come back. */
export const archiveMany = (): ManyAct<UnitStep> => ({
  name: 'archive',
  async plan(tx, requester, serviceIds) {
    const { permitted, refused } = await administerServices(tx, requester, serviceIds);
    const steps = permitted.map(({ id, organizationId, name }) => ({ serviceId: id, organizationId, name }));
    return { steps, refused };
  },
  async carryOut(tx, requester, steps, together, now) {
    const archived = new Set(
      await archiveServices(
        tx,
        steps.map(({ serviceId }) => serviceId),
        now,
      ),
    );
    writeAudits(
      tx,
      requester,
      steps
        .filter(({ serviceId }) => archived.has(serviceId))
        .map(({ serviceId, organizationId, name }) => ({
          action: 'service.archive',
          organizationId,
          serviceId,
          detail: { name, ...together },
        })),
      now,
    );
    return null;
  },
});
