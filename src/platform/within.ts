/** For what may never answer: the work itself goes on, and nobody waits for it any longer. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`no answer within ${ms / 1000} seconds`), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
