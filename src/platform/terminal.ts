import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Where a command prints: its answer to one, everything else to the other. */
export interface Output {
  stdout(line: string): void;
  stderr(line: string): void;
}

export const terminal: Output = {
  stdout: (line) => void process.stdout.write(`${line}\n`),
  stderr: (line) => void process.stderr.write(`${line}\n`),
};

export async function readAllInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function askLine(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(question);
  prompt.close();
  return answer;
}

/** Asks at the terminal without showing what is typed. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const answer = await prompt.question('');
  prompt.close();
  process.stderr.write('\n');
  return answer;
}
