// The entry of the thread that makes one picture anew, and ends: whatever is wrong with it, nothing else is.
import { parentPort, workerData } from 'node:worker_threads';
import { cleanPicture } from '../../platform/picture/clean-picture.ts';
import { PictureFault } from '../../platform/picture/picture-fault.ts';
import type { CleanAnswer } from './clean-task.ts';

const answer = (said: CleanAnswer): void => parentPort?.postMessage(said);

try {
  const { width, height, png } = await cleanPicture(Buffer.from(workerData as Uint8Array));
  answer({ ok: true, value: { width, height, png } });
} catch (error) {
  if (!(error instanceof PictureFault)) throw error;
  answer({ ok: false, refusal: error.word });
}
