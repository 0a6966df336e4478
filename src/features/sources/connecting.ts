// How a sender is told where to send, ready to be copied.
export interface Connecting {
  /** What to do with the lines. */
  words: string;
  lines: string;
}

export interface Place {
  /** The address of our own JSON. */
  telemetry: string;
  secret: string;
  /** Where programs listen for MQTT, such as mqtts://0.0.0.0:8883. */
  listeners: readonly string[];
}
