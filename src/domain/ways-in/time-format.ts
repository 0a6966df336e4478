// Times in a form that an administrator writes, such as `dd.MM.yyyy HH:mm:ss`; UTC.
import { isDigit, openCursor } from '../text-cursor.ts';

const FIELDS = ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss'];

/** As ISO 8601; null: the text has another form. Of a field that comes twice the first counts. */
export function readByFormat(text: string, format: string): string | null {
  const form = openCursor(format);
  const given = openCursor(text.trim());
  const found: Record<string, string> = {};
  while (!form.isAtEnd()) {
    const field = FIELDS.find(form.take);
    if (field === undefined) {
      if (!given.take(form.takeWhile(() => true, 1))) return null;
      continue;
    }
    const digits = given.takeWhile(isDigit, field.length);
    if (digits === '' || (field === 'yyyy' && digits.length < field.length)) return null;
    found[field] ??= digits.padStart(2, '0');
  }
  if (!given.isAtEnd()) return null;
  const { yyyy = '', MM = '', dd = '', HH = '00', mm = '00', ss = '00' } = found;
  return `${yyyy}-${MM}-${dd}T${HH}:${mm}:${ss}Z`;
}
