import type { Result } from '../../domain/result.ts';
import type { Output } from '../../platform/terminal.ts';

/** What was done in one line, or what stood in the way. Answers with the exit code. */
export async function tell(out: Output, outcome: Promise<Result<string, string>>): Promise<0 | 1> {
  const result = await outcome;
  if (result.ok) out.stdout(result.value);
  else out.stderr(result.refusal);
  return result.ok ? 0 : 1;
}
