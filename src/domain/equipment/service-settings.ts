// How a service is watched and who is told.
export interface ServiceSettings {
  staleAfterMinutes: number;
  /** In an edit as asked for: whether the organization has such a group is checked as it is saved. */
  notificationGroupId: number | null;
  sendCritical: boolean;
  sendWarning: boolean;
  sendAcknowledgements: boolean;
  sendRecoveries: boolean;
  repeatIntervalMinutes: number;
  enableSystemNotifications: boolean;
  systemNotificationDelayMinutes: number;
}

/** Contract, Service settings. */
export const DEFAULT_SETTINGS: ServiceSettings = {
  staleAfterMinutes: 15,
  notificationGroupId: null,
  sendCritical: false,
  sendWarning: false,
  sendAcknowledgements: false,
  sendRecoveries: false,
  repeatIntervalMinutes: 60,
  enableSystemNotifications: false,
  systemNotificationDelayMinutes: 5,
};
