/** Names that were found to be zones: to ask the runtime takes long, and the same few come again and again. */
const known = new Set<string>();
const MOST_KNOWN = 2_000;

/** True for every zone name the runtime knows, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(name);
    return true;
  } catch {
    return false;
  }
}
