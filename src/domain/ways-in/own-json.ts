// Our own JSON needs no reader here: domain/readings/telemetry.ts reads it, and it says all there is to say itself.
import type { WayIn } from './way-in.ts';

export const tocsin: WayIn<object> = { settings: {}, isRadio: false, tryOut: null };
