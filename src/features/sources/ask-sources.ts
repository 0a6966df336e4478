// What is asked before a source loses its secret.
import type { OrganizationId } from '../../domain/ids.ts';
import { countHeard } from '../../engine/outbox/count-heard.ts';
import type { AskAct } from '../../engine/pages/ask-settings.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectSource } from './queries.ts';

const findSource = (db: ReadDatabase, organizationId: OrganizationId, id: string | undefined) =>
  selectSource(db, organizationId, readPageId(id) ?? 0);

export const askRevoke =
  (db: ReadDatabase): AskAct =>
  async ({ organization, form, visitor }) => {
    const { say } = visitor.language;
    const source = await findSource(db, organization.id, form.source_id);
    return (
      source && {
        act: say('Revoke {name}', { name: source.name }),
        says: [say('Whatever it sends is refused at once.')],
        canUndo: false,
      }
    );
  };

export const askRenew =
  (db: ReadDatabase): AskAct =>
  async ({ organization, form, visitor }) => {
    const { say } = visitor.language;
    const source = await findSource(db, organization.id, form.source_id);
    if (!source) return null;
    const heard = (await countHeard(db, [organization.id])).find(({ id }) => id === source.id);
    return {
      act: say('New secret for {name}', { name: source.name }),
      says: [
        say('The old secret is refused at once.'),
        ...(heard
          ? [
              say(
                '{services, plural, one {# service is} other {# services are}} heard through it: nothing comes in until its sender has the new secret.',
                { services: heard.services },
              ),
            ]
          : []),
      ],
      canUndo: false,
    };
  };
