// The settings of gateways: whose readings come through which.

import type { ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { type Fault, frameOf, routeDesk, type SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { type Dependence, selectDependences, setChildren } from '../../engine/quiet-times/parents.ts';
import type { Database } from '../../platform/db/database.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { selectServiceNames } from './gateway-queries.ts';
import { DEVICES } from './paths.ts';

const GATEWAYS = '/settings/gateways';

type Refusal = 'no_gateway' | 'is_behind' | 'has_children';

const REFUSALS: Record<Refusal, [field: string, text: string]> = {
  no_gateway: ['gateway', message('Choose a service that stands for the gateway.')],
  is_behind: [
    'gateway',
    message('This service is behind a gateway itself: two could keep each other quiet.'),
  ],
  has_children: [
    'services',
    message('One of the chosen services is a gateway itself: two could keep each other quiet.'),
  ],
};

const set: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const known = (await selectServiceNames(tx, organizationId)).map(({ id }) => id);
  const parentId = readPageId<ServiceId>(form.gateway);
  if (parentId === null || !known.includes(parentId)) return refuse('no_gateway');
  const chosen = known.filter((id) => id !== parentId && form[`service_${id}`] === 'yes');
  const others = (await selectDependences(tx, organizationId)).filter((one) => one.parentId !== parentId);
  if (chosen.length > 0 && others.some(({ serviceId }) => serviceId === parentId)) return refuse('is_behind');
  if (others.some((one) => chosen.includes(one.parentId))) return refuse('has_children');
  const changed = await setChildren(tx, parentId, chosen, now);
  if (changed.length > 0) {
    const detail = { services: chosen };
    await writeAudit(
      tx,
      requester,
      { action: 'gateway.services', organizationId, serviceId: parentId, detail },
      now,
    );
  }
  return ok({});
};

export const routeGatewayPage = (
  app: HttpServer,
  deps: { db: Database; publicUrl: () => URL | null },
): void =>
  routeDesk(app, deps, {
    url: GATEWAYS,
    verbs: { set },
    refusals: REFUSALS,
    done: { set: message('These services are behind the gateway from now on.') },
    show: async (visit, news) => {
      const { organization, query } = visit;
      const services = await selectServiceNames(deps.db, organization.id);
      const dependences = await selectDependences(deps.db, organization.id);
      const asked = readPageId<ServiceId>(news.fault?.typed.gateway ?? query.gateway);
      const chosen = services.find(({ id }) => id === asked) ?? null;
      const props = { frame: frameOf(visit, news), services, dependences, chosen, fault: news.fault };
      return <GatewaysPage {...props} />;
    },
  });

interface Named {
  id: ServiceId;
  name: string;
}

interface GatewaysProps {
  frame: SettingsFrame;
  services: Named[];
  dependences: Dependence[];
  chosen: Named | null;
  fault: Fault | null;
}

const GatewaysPage = ({ frame, services, dependences, chosen, fault }: GatewaysProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const childrenOf = (parentId: ServiceId) => dependences.filter((one) => one.parentId === parentId);
  const gateways = services.filter(({ id }) => childrenOf(id).length > 0);
  const nameOf = (id: ServiceId) =>
    services.find((one) => one.id === id)?.name ?? sayAs('a service', 'archived');
  const addressOf = (id: ServiceId) => `${GATEWAYS}?organization=${frame.organization.id}&gateway=${id}`;
  return (
    <SettingsPage title={say('Gateways')} frame={frame} current={GATEWAYS}>
      <p>
        {say(
          'A gateway is a service of its own, with a channel that it reports itself. While it is stale, nobody is notified that the services behind it are stale too: its own message counts them. Of their alarms by value, and of data that comes in again, people are notified as ever.',
        )}
      </p>
      {gateways.length > 0 && (
        <ul class="rows card">
          {gateways.map(({ id, name }) => (
            <li key={id}>
              <a class="row-link" href={addressOf(id)}>
                {name}
              </a>
              <span class="muted">
                {childrenOf(id)
                  .map(({ serviceId }) => nameOf(serviceId))
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <section class="card">
        <h2>{say('Choose a gateway')}</h2>
        {services.length === 0 ? (
          <p>
            {sayWith(
              language,
              'There is no service yet that could be one. Adopt the device of the gateway under <a>Devices</a> first.',
              { a: (inside) => <a href={settingsPath(DEVICES, frame.organization)}>{inside}</a> },
            )}
          </p>
        ) : (
          <form class="form-line" method="get" action={GATEWAYS}>
            <input type="hidden" name="organization" value={frame.organization.id} />
            <Select
              name="gateway"
              label={say('Gateway')}
              options={services.map(({ id, name }) => [id, name])}
              chosen={chosen?.id}
            />
            <button type="submit">{say('Show')}</button>
          </form>
        )}
      </section>
      {chosen && (
        <section class="card">
          <h2>{say('Behind {name}', { name: chosen.name })}</h2>
          {fault && <p class="error">{fault.text}</p>}
          {services.length === 1 ? (
            <p>{say('There is no other service yet.')}</p>
          ) : (
            <PostForm
              organization={frame.organization}
              action={`${GATEWAYS}/set`}
              hidden={{ gateway: chosen.id }}
            >
              <fieldset class="names">
                <legend>{say('Services whose readings come through it')}</legend>
                {services
                  .filter(({ id }) => id !== chosen.id)
                  .map(({ id, name }) => (
                    <label key={id} class="check">
                      <input
                        type="checkbox"
                        name={`service_${id}`}
                        value="yes"
                        checked={dependences.some(
                          (one) => one.parentId === chosen.id && one.serviceId === id,
                        )}
                      />{' '}
                      {name}
                    </label>
                  ))}
              </fieldset>
              <button type="submit" class="button-primary">
                {say('Set')}
              </button>
            </PostForm>
          )}
        </section>
      )}
    </SettingsPage>
  );
};
