import sql from 'sql-template-tag';

/** Of the service that the statement calls `service`, in the order in which they came. */
export const DEVICE_KEYS = sql`array(select key from device where device.service_id = service.id order by device.id)`;
