// The button below an alarm: what it sends back names the letter, and counts only from the chat it was sent to.

export const writeAcknowledgeData = (letterId: string): string => `ack ${letterId}`;

/** null: it is of another button. */
export const readAcknowledgeData = (data: string): string | null =>
  /^ack (\d{1,18})$/.exec(data)?.[1] ?? null;
