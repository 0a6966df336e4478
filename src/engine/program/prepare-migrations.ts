// What migrations need done that SQL alone cannot do.
import type { Preparation } from '../../platform/db/migrate.ts';
import { moveOldReadings } from '../readings/move-old-readings.ts';

export const PREPARING: Readonly<Record<string, Preparation>> = {
  '0015_readings_moved.sql': moveOldReadings,
};
