/** `Bearer abc`: the first word, and what stands behind the spaces after it; empty: nothing does. */
export function readScheme(header: string): { scheme: string; given: string } {
  const text = header.trim();
  const end = text.indexOf(' ');
  if (end < 0) return { scheme: text.toLowerCase(), given: '' };
  return { scheme: text.slice(0, end).toLowerCase(), given: text.slice(end).trim() };
}
