/** What could stop now and then, to its end: in a command, or where it is short. */
export function atOnce<Value>(work: Generator<void, Value>): Value {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
