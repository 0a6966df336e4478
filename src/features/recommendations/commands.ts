// `tocsin recommendations …`: the desk of an advisor that is another program.
import { COMMAND_LINE } from '../../domain/accounts/requester.ts';
import { isId, type ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type AdviceOutcome, finishRequest } from '../../engine/advice/recommendations.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { hasService, lockPending, selectPending } from './queries.ts';
import { readResultFile } from './result-file.ts';

const STACK_DEPTH_EXCEEDED = '54001';

/** Lines to print, or what went wrong in one line. */
type Printed = Result<string, string>;

export async function listPending(db: ReadDatabase, { isJson }: { isJson: boolean }): Promise<Printed> {
  const requests = await selectPending(db);
  if (isJson)
    return ok(
      `[${requests
        .map(({ id, ...request }) =>
          writeJson(id, {
            service_id: request.serviceId,
            service_name: request.serviceName,
            organization: request.organizationName,
            requested_by: request.requestedByName,
            requested_at: formatInstant(request.requestedAt),
          }),
        )
        .join(',')}]`,
    );
  if (requests.length === 0) return ok('No request is pending.');
  const lines = requests.map(({ serviceId, serviceName, organizationName, requestedByName, requestedAt }) =>
    toOneLine(
      `service ${serviceId}, ${organizationName}/${serviceName}: requested by ${requestedByName} at ${formatInstant(requestedAt)}`,
    ),
  );
  return ok(lines.join('\n'));
}

interface CompleteCommand {
  service: string;
  /** A path, or - for standard input. */
  file: string;
  isJson: boolean;
}

/** Any JSON object is taken and kept to the letter; whether it can be applied shows when somebody wants to. */
export async function completeByHand(
  db: Database,
  { service, file, isJson }: CompleteCommand,
  now: Date,
): Promise<Printed> {
  const result = await readResultFile(file);
  if (!result.ok) return refuse(toOneLine(result.refusal));
  const finished = await finishPending(db, service, { completed: result.value }, now).catch(
    refuseWhatIsTooDeep,
  );
  if (!finished.ok) return finished;
  const { id, serviceId } = finished.value;
  if (isJson) return ok(writeJson(id, { service_id: serviceId }));
  return ok(`Completed the request of service ${serviceId}: result ${id}.`);
}

export async function failByHand(
  db: Database,
  { service, reason }: { service: string; reason: string },
  now: Date,
): Promise<Printed> {
  if (reason.trim() === '') return refuse('The reason must not be blank');
  const finished = await finishPending(db, service, { failed: reason }, now);
  return finished.ok ? ok(`Failed the request of service ${finished.value.serviceId}.`) : finished;
}

async function finishPending(
  db: Database,
  service: string,
  outcome: AdviceOutcome,
  now: Date,
): Promise<Result<{ id: string; serviceId: ServiceId }, string>> {
  const serviceId = (/^\d+$/.test(service) ? Number(service) : 0) as ServiceId;
  return db.transaction(async (tx) => {
    if (!isId(serviceId) || !(await hasService(tx, serviceId)))
      return refuse(toOneLine(`There is no service ${service}`));
    const pending = await lockPending(tx, serviceId);
    if (!pending) return refuse(`No request is pending for service ${serviceId}`);
    await finishRequest(tx, COMMAND_LINE, pending.id, outcome, now);
    return ok({ id: pending.id, serviceId });
  });
}

/** PostgreSQL reads JSON down to the depth of its stack, which is less than ours. */
function refuseWhatIsTooDeep(error: { code?: string }) {
  if (error.code === STACK_DEPTH_EXCEEDED) return refuse('The result is nested too deeply to be stored');
  throw error;
}

/** The id is written digit by digit: a JavaScript number could not hold each one. */
const writeJson = (resultId: string, rest: object): string =>
  `{"result_id":${resultId},${JSON.stringify(rest).slice(1)}`;

/** Names may hold line breaks and terminal codes. */
const toOneLine = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
