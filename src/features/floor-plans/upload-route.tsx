// The one form that takes a file. Who sends it is looked at before anything of it is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canAdminister } from '../../domain/accounts/role.ts';
import { message } from '../../domain/language/message.ts';
import type { Admitted, Cleaning, CleanResult } from '../../engine/floor-plans/open-cleaning.ts';
import { answerErrorPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readPageId } from '../../engine/pages/page-routes.ts';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { routeSettingsPage, type SettingsVisit } from '../../engine/pages/settings-routes.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import { readUpload } from '../../platform/http/read-upload.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { findPlace, upload } from './change-plans.ts';
import { FLOOR_PLANS } from './paths.ts';
import { MOST_MEGABYTES } from './picture-most.ts';

/** The form beside the picture. */
const AND_ITS_FORM = 16 * 1024;

type PictureRefusal = Extract<CleanResult, { ok: false }>['refusal'] | 'none' | 'no_place';

/** What is wrong with a picture, and what to do. */
const PICTURE_REFUSALS = {
  none: message('Choose a picture.'),
  no_place: message('Nothing stands there any more. Choose another place.'),
  no_picture: message(
    'This is neither a PNG nor a JPEG picture. Save it as one of these, then send it again.',
  ),
  too_many_pixels: message(
    'The picture has more than 24 million pixels. Make it smaller, for instance 4,000 × 3,000, then send it again.',
  ),
  damaged: message(
    'The picture cannot be read to its end: it is damaged, or was cut off. Open it, save it anew, then send it again.',
  ),
  unsupported: message(
    'The picture is written in a way that is not read here, such as in colours for printing (CMYK). Save it as PNG, then send it again.',
  ),
  too_long: message('Working on the picture took too long. Make it smaller, then send it again.'),
} as const satisfies Record<PictureRefusal, string>;

interface UploadDeps extends PageDeps {
  db: Database;
  cleaning: Cleaning;
  answerFault: (visit: SettingsVisit, text: string) => Promise<FastifyReply>;
}

export function routeUpload(app: HttpServer, deps: UploadDeps): void {
  const { db, cleaning, answerFault } = deps;
  const pictures = new WeakMap<FastifyRequest, Buffer>();
  const admitted = new WeakMap<FastifyRequest, Admitted>();

  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const organizationId = findAdministered(request);
      // Nothing of it is read.
      if (organizationId === null)
        return visitorOf(request) ? answerErrorPage(reply, 404) : reply.redirect('/login', 303);
      const place = cleaning.enter(organizationId);
      if (!place) return answerErrorPage(reply, 429, 'pictures_busy');
      admitted.set(request, place);
      reply.raw.once('close', place.leave);
    });
    acceptPictures(scope as unknown as FastifyInstance, pictures);
    routeSettingsPage(scope as unknown as HttpServer, deps, {
      method: 'POST',
      url: `${FLOOR_PLANS}/upload`,
      show: async (visit) => {
        const { request, reply, organization, visitor, form } = visit;
        const { say } = visitor.language;
        const refuseBy = (why: PictureRefusal) => answerFault(visit, say(PICTURE_REFUSALS[why]));
        const place = await findPlace(db, organization.id, form.location);
        if (!place) return refuseBy('no_place');
        const bytes = pictures.get(request);
        const cleaned = bytes && (await admitted.get(request)?.clean(bytes));
        if (!cleaned) return refuseBy('none');
        if (!cleaned.ok) return refuseBy(cleaned.refusal);
        const input = { organizationId: organization.id, ...place, picture: cleaned.value };
        const planId = await db.transaction((tx) => upload(tx, visitor, input, visitor.now));
        return reply.redirect(
          settingsPath(`${FLOOR_PLANS}/${planId}`, organization, { done: 'upload' }),
          303,
        );
      },
    });
  });
}

/** null: nobody who may send pictures. */
function findAdministered(request: FastifyRequest): number | null {
  const own = (visitorOf(request)?.memberships ?? []).filter(({ role }) => canAdminister(role));
  const { organization } = request.query as Record<string, string | undefined>;
  const asked = organization === undefined ? own[0]?.organizationId : readPageId(organization);
  return own.find(({ organizationId }) => organizationId === asked)?.organizationId ?? null;
}

function acceptPictures(scope: FastifyInstance, pictures: WeakMap<FastifyRequest, Buffer>): void {
  scope.removeContentTypeParser('multipart/form-data');
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MOST_MEGABYTES * 1024 * 1024 + AND_ITS_FORM },
    async (request: FastifyRequest, body: Buffer) => {
      const { fields, file } = readUpload(body, request.headers['content-type'] ?? '');
      if (file) pictures.set(request, file);
      return fields;
    },
  );
}
