// Where a service belongs, for those who have more than one of its name.

interface ServicePlace {
  /** null: its reader has no other. */
  organizationName: string | null;
  locationName: string | null;
}

/** From the large to the small; empty where there is nothing to say. */
export const listPlace = ({ organizationName, locationName }: ServicePlace): string[] =>
  [organizationName, locationName].filter((part): part is string => part !== null && part.trim() !== '');

/** `Freezer 1 (Cell Biology, Room 101)`, in one line. */
export const nameWithPlace = (name: string, place: ServicePlace): string => {
  const parts = listPlace(place);
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
};
