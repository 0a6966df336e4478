import { writeCsvText } from '../../../platform/csv.ts';
import { type Layout, NAMING } from './layout.ts';
import type { ExportedChannel, ExportedService, Rows } from './read-rows.ts';

/** Chunks of text. */
export async function* writeCsv(blocks: AsyncIterable<Rows>, layout: Layout): AsyncGenerator<string> {
  yield `${['time', ...NAMING[layout].map(({ name }) => name), 'value', 'unit'].join(',')}\r\n`;
  const around = new Map<ExportedChannel, { before: string; after: string }>();
  for await (const { service, ats, channels, values } of blocks) {
    let text = '';
    for (const [index, at] of ats.entries()) {
      const channel = channels[index] as ExportedChannel;
      let cells = around.get(channel);
      if (!cells) {
        cells = writeAround(layout, service, channel);
        around.set(channel, cells);
      }
      text += `${new Date(at).toISOString()}${cells.before}${values[index]}${cells.after}`;
    }
    yield text;
  }
}

function writeAround(layout: Layout, service: ExportedService, channel: ExportedChannel) {
  const naming = NAMING[layout].map(({ cell }) => writeCsvText(String(cell(service, channel) ?? '')));
  return { before: `,${naming.join(',')},`, after: `,${writeCsvText(channel.unit ?? '')}\r\n` };
}
