// Payloads that the codec of their source decodes, as many as a network server would send at once.
import { openCodecs } from '../src/engine/codecs/codecs.ts';
import type { Stage } from './stage.ts';

const AT_ONCE = 32;
const CODEC = `function decodeUplink(input) {
  var bytes = input.bytes;
  var data = {};
  for (var i = 0; i + 2 < bytes.length; ) {
    var channel = bytes[i++];
    var type = bytes[i++];
    if (channel === 1 && type === 117) data.battery = bytes[i++];
    else if (channel === 3 && type === 103) { data.temperature = ((bytes[i + 1] << 24 >> 16) | bytes[i]) / 10; i += 2; }
    else if (channel === 4 && type === 104) data.humidity = bytes[i++] / 2;
    else break;
  }
  return { data: data };
}`;
const UPLINK = {
  bytes: [1, 117, 92, 3, 103, 52, 252, 4, 104, 101],
  fPort: 85,
  recvTime: 1_794_711_540_000,
  variables: {},
};

export async function measureCodecs({ bench }: Stage): Promise<void> {
  const codecs = openCodecs();
  let decoded = 0;
  const startedAt = performance.now();
  const end = startedAt + 1_000 * bench.seconds;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, sourceId) => {
      while (performance.now() < end) {
        const outcome = await codecs.decode(
          { sourceId: sourceId % 4, organizationId: sourceId % 2, code: CODEC },
          UPLINK,
        );
        if ('failure' in outcome) throw new Error(outcome.failure);
        decoded += 1;
      }
    }),
  );
  const perSecond = Math.round((1_000 * decoded) / (performance.now() - startedAt));
  await codecs.close();
  bench.figures.codecs_per_second = perSecond;
  process.stderr.write(`codecs: ${perSecond} payloads/s\n`);
}
