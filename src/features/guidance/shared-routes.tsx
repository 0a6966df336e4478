// What to do at all units of a template, or at a location: for administrators.
import { isTemplate, TEMPLATES } from '../../domain/equipment/templates.ts';
import {
  ALL_GUIDANCE_FIELDS,
  GUIDANCE_FIELDS,
  type GuidanceFault,
  type GuidanceField,
  NO_GUIDANCE,
  sayGuidanceFault,
} from '../../domain/guidance/guidance.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { ok, refuse } from '../../domain/result.ts';
import { changeGuidance } from '../../engine/guidance/change-guidance.ts';
import { type GuidanceOf, selectAllGuidance, selectGuidance } from '../../engine/guidance/guidance-rows.ts';
import { type PageDeps, readPageId } from '../../engine/pages/page-routes.ts';
import {
  frameOf,
  routeDesk,
  type SettingsInput,
  type SettingsVerb,
} from '../../engine/pages/settings-routes.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { WHAT_TO_DO } from './paths.ts';
import { countByTemplate, selectLocationName } from './queries.ts';
import { SharedGuidancePage, TemplatesPage } from './shared-view.tsx';
import { fillFields, readTyped } from './typed-guidance.ts';

type SharedRefusal = `${GuidanceField} ${GuidanceFault}`;

const FAULTS: readonly GuidanceFault[] = [
  'too_long',
  'not_a_class',
  'unstorable',
  'not_a_phone',
  'too_many_phones',
];

const REFUSALS = Object.fromEntries(
  ALL_GUIDANCE_FIELDS.flatMap((field) =>
    FAULTS.map((fault): [SharedRefusal, [field: string, text: Sayable]] => [
      `${field} ${fault}`,
      [GUIDANCE_FIELDS[field].word, (language) => sayGuidanceFault({ field, fault }, language)],
    ]),
  ),
) as Record<SharedRefusal, [field: string, text: Sayable]>;

interface Shared {
  of: GuidanceOf;
  /** As the audit has it. */
  name: string;
  label: Sayable;
}

type Find = (
  db: ReadDatabase,
  input: Pick<SettingsInput, 'organizationId' | 'params'>,
) => Promise<Shared | null>;

const findTemplate: Find = async (_db, { organizationId, params: { template } }) =>
  isTemplate(template)
    ? { of: { organizationId, template }, name: template, label: TEMPLATES[template].label }
    : null;

const findLocation: Find = async (db, { organizationId, params }) => {
  const locationId = readPageId(params.location_id);
  const name = locationId && (await selectLocationName(db, organizationId, locationId));
  // A name is nobody's to translate.
  return locationId && name ? { of: { organizationId, locationId }, name, label: () => name } : null;
};

const saveBy =
  (find: Find): SettingsVerb<SharedRefusal> =>
  async (tx, requester, input, now) => {
    const shared = await find(tx, input);
    if (!shared) return refuse('not_found');
    const { of, name } = shared;
    const changed = await changeGuidance(tx, requester, { of, name, typed: readTyped(input.form) }, now);
    return changed.ok ? ok({}) : refuse(`${changed.refusal.field} ${changed.refusal.fault}` as const);
  };

export function routeSharedGuidance(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;
  routeDesk(app, deps, {
    url: WHAT_TO_DO,
    verbs: {},
    refusals: {},
    done: {},
    show: async (visit, news) => {
      const { organization } = visit;
      const [said, units] = await Promise.all([
        selectAllGuidance(db, organization.id),
        countByTemplate(db, organization.id),
      ]);
      const templates = Object.entries(TEMPLATES).map(([name, { label }]) => ({
        path: `${WHAT_TO_DO}/templates/${name}`,
        label,
        units: units.get(name) ?? 0,
        whatToDo: said.find((row) => row.template === name)?.whatToDo ?? null,
      }));
      const locations = said.flatMap(({ locationId, locationName, whatToDo }) =>
        locationId === null
          ? []
          : [{ path: `${WHAT_TO_DO}/locations/${locationId}`, name: locationName ?? '', whatToDo }],
      );
      return <TemplatesPage frame={frameOf(visit, news)} templates={templates} locations={locations} />;
    },
  });

  const ways: [path: string, find: Find][] = [
    ['templates/:template', findTemplate],
    ['locations/:location_id', findLocation],
  ];
  for (const [path, find] of ways)
    routeDesk(app, deps, {
      url: `${WHAT_TO_DO}/${path}`,
      verbs: { save: saveBy(find) },
      refusals: REFUSALS,
      done: { save: message('Saved.') },
      show: async (visit, news) => {
        const { organization, params } = visit;
        const shared = await find(db, { organizationId: organization.id, params });
        if (!shared) return null;
        const { of, label, name } = shared;
        const said = (await selectGuidance(db, of)) ?? NO_GUIDANCE;
        return (
          <SharedGuidancePage
            frame={frameOf(visit, news)}
            label={label}
            isTemplate={'template' in of}
            action={`${WHAT_TO_DO}/${path.replace(/:.*/, 'template' in of ? name : String(params.location_id))}/save`}
            values={fillFields(said, news.fault?.typed ?? null)}
            fault={news.fault}
          />
        );
      },
    });
}
