import { routePage } from '../../engine/pages/page-routes.ts';
import { checkPassword } from '../../engine/sign-in/check-password.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { ProfileFault } from './change-profile.ts';
import { againOf, type OwnVisit, type ProfilePageDeps } from './own-visit.ts';
import { removePin, setPin } from './phone-pin.ts';
import { CONTACTS, PIN } from './phone-pin-card.tsx';

/** What was typed is not shown again: it is secret. */
export function routePhonePin(
  app: HttpServer,
  deps: ProfilePageDeps,
  show: (visit: OwnVisit, fault: ProfileFault) => Promise<OwnVisit['reply']>,
): void {
  const route = (url: string, change: typeof setPin, done: string) =>
    routePage(app, deps, {
      method: 'POST',
      url,
      show: async (visit) => {
        const { visitor, form } = visit;
        const input = {
          form,
          checkPassword: (password: string) => checkPassword(deps, againOf(visit), password),
        };
        const changed = await change(deps.db, visitor, input, visitor.now);
        return changed.ok
          ? visit.reply.redirect(`${CONTACTS}?done=${done}`, 303)
          : show({ ...visit, form: {} }, changed.refusal);
      },
    });
  route(PIN, setPin, 'pin');
  route(`${PIN}/remove`, removePin, 'pin-removed');
}
