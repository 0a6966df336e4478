import { open } from 'node:fs/promises';

/** A rename survives a power cut only together with what it names: file contents first, then the folder's entries. */
export async function flushToDisk(path: string): Promise<void> {
  // Windows opens no folders.
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
