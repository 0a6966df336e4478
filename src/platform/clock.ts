/** Read once per request or tick and passed on as `now`. Tests move it by hand. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
