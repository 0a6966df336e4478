// Says at the very end which tests failed and why, in a line each: the end is what people look at first. Their files are
// listed where TOCSIN_FAILED_FILES says, for those who try them once more.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export class NameFailures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((file) => [
      ...file.errors().map((error) => `${file.relativeModuleId}: ${error.message}`),
      ...Array.from(file.children.allTests('failed'), (test) => {
        const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 1000);
        const reason = test.result().errors?.[0]?.message.split('\n')[0] ?? 'no reason given';
        return `${file.relativeModuleId}: ${test.fullName} (${seconds} s): ${reason}`;
      }),
    ]);
    const list = process.env.TOCSIN_FAILED_FILES;
    const files = modules.filter((file) => !file.ok()).map((file) => `${file.relativeModuleId}\n`);
    if (list) writeFileSync(list, files.join(''));
    // The summary of the other reporter comes first.
    if (failed.length > 0)
      process.once('exit', () => process.stderr.write(`\nFailed:\n${failed.join('\n')}\n`));
  }
}
