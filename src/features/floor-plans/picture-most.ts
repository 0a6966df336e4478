export const MOST_MEGABYTES = 8;
