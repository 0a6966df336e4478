// What `tocsin distribute` says where there is nothing to distribute to. test/cluster/citus.test.ts has the rest.
import { expect, test } from 'vitest';
import { runDistribute } from '../../src/features/distribution/distribute-command.ts';
import { createEmptyDatabase } from '../support/test-database.ts';

const silent = { stdout() {}, stderr() {} };

test('a database without Citus is left alone, and told so', async () => {
  const { db } = await createEmptyDatabase();
  await expect(runDistribute(db, { shards: null, isJson: false }, silent)).rejects.toThrow(
    'This database has no Citus, and readings stay where they are',
  );
});

test.each(['0', 'many', '2000', '1.5'])('--shards %s is refused', async (shards) => {
  const { db } = await createEmptyDatabase();
  await expect(runDistribute(db, { shards, isJson: false }, silent)).rejects.toThrow(
    '--shards takes a number from 1 to 1024',
  );
});
