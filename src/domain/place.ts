// Where a service belongs, for those who have more than one of its name.

interface Place {
  /** null: its reader has no other. */
  organizationName: string | null;
  locationName: string | null;
}

const partsOf = ({ organizationName, locationName }: Place): string[] =>
  [organizationName, locationName].filter((part) => part !== null && part.trim() !== '') as string[];

/** `Cell Biology · Room 101`, below its name; null: there is nothing to say. */
export const sayPlace = (place: Place): string | null => partsOf(place).join(' · ') || null;

/** `Freezer 1 (Cell Biology, Room 101)`, in one line. */
export const nameWithPlace = (name: string, place: Place): string => {
  const parts = partsOf(place);
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
};
