export const SHORTEST_PASSWORD = 8;

export const isTooShort = (password: string): boolean => [...password].length < SHORTEST_PASSWORD;
