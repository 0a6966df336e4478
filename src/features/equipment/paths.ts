export const SERVICES = '/settings/services';
export const CHANNELS = '/settings/channels';
export const DEVICES = '/settings/devices';
export const ASSETS = '/settings/assets';
export const LOCATIONS = '/settings/locations';
