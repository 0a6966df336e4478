// What a lab file says of a unit for the day on which it fails, beside what is stored.
import type { Rescue } from '../../domain/rescue/rescue.ts';
import type { LabService } from './read/read-lab-file.ts';

const unlessGiven = <Value>(given: Value | null | undefined, before: Value | null): Value | null =>
  given === undefined ? before : given;

/** What the file leaves out stays, and null takes it away. */
export const planRescue = (entry: LabService['rescue'], before: Rescue): Rescue =>
  entry === undefined
    ? before
    : {
        temperatureClass: unlessGiven(entry.temperature_class, before.temperatureClass),
        racks: unlessGiven(entry.racks, before.racks),
        freeRacks: unlessGiven(entry.free_racks, before.freeRacks),
        rescueOrder: unlessGiven(entry.rescue_order, before.rescueOrder),
        dangerValue: unlessGiven(entry.danger_value, before.dangerValue),
      };
