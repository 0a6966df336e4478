import { isUtf8 } from 'node:buffer';

/** The fields of a form, each with the last value sent for it. No prototype, so that any name is just a name. */
export type FormFields = Record<string, string>;

/** The body cannot be read as text fields. */
export class UndecodableBody extends Error {
  readonly statusCode = 400;
}

const emptyForm = (): FormFields => Object.create(null);

/** A stray percent sign stands for itself, as browsers and shells send it; broken UTF-8 is refused, not replaced. */
const decodePart = (part: string): string =>
  decodeURIComponent(part.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));

export function parseUrlencodedForm(body: Buffer): FormFields {
  const form = emptyForm();
  if (!isUtf8(body)) throw new UndecodableBody('The form is not valid UTF-8');
  for (const pair of body.toString('utf8').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    try {
      form[decodePart(name)] = decodePart(value);
    } catch {
      throw new UndecodableBody('The form is not valid UTF-8');
    }
  }
  return form;
}

export async function parseMultipartForm(body: Buffer, contentType: string): Promise<FormFields> {
  const form = emptyForm();
  if (!isUtf8(body)) throw new UndecodableBody('The form is not valid UTF-8');
  const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new UndecodableBody('The form is not valid multipart/form-data');
    });
  for (const [name, value] of parts) {
    if (typeof value === 'string') form[name] = value;
  }
  return form;
}
