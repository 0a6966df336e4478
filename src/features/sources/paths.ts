export const SOURCES = '/settings/sources';
