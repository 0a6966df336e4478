/** Goes on with what stops now and then, to its end; `stretches` are how many pieces of work that took. */
export function finish<Value>(work: Generator<void, Value>): { value: Value; stretches: number } {
  let stretches = 1;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return { value: step.value, stretches };
    stretches += 1;
  }
}
