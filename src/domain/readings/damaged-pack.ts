/** Stored readings that are not as they were written. The message says what is wrong. */
export class DamagedPack extends Error {}

export const UNREADABLE = 'The database cannot read its bytes from the disk';
