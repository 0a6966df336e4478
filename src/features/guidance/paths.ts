export const WHAT_TO_DO = '/settings/what-to-do';
