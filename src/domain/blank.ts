/** Contract, Values: blank means empty after trimming. What is not blank stays exactly as sent. */
export const unlessBlank = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text;
