/** The address of a settings page, for one organization. */
export const settingsPath = (
  path: string,
  organization: { id: number },
  query: Record<string, string | number> = {},
): string => {
  const [place = '', known = ''] = path.split('?');
  const words = new URLSearchParams(known);
  words.set('organization', String(organization.id));
  for (const [name, value] of Object.entries(query)) words.set(name, String(value));
  return `${place}?${words}`;
};
