// Node reads a whole map when the first error happens, nobody else has a turn meanwhile, and it keeps what it read. So a map says
// of each statement of ours from which line it comes, and of libraries nothing: the names of their functions will do.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));

/** Numbers in base 64, five bits a digit; a sixth says that more follow, the first bit of a number is its sign. */
function decode(segment) {
  const numbers = [];
  let number = 0;
  let shift = 0;
  for (const digit of segment) {
    const value = VALUES.get(digit);
    number += (value & 31) << shift;
    shift += 5;
    if (value & 32) continue;
    numbers.push(number & 1 ? -(number >> 1) : number >> 1);
    number = 0;
    shift = 0;
  }
  return numbers;
}

function encode(numbers) {
  let segment = '';
  for (const number of numbers) {
    let left = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const more = left > 31 ? 32 : 0;
      segment += DIGITS[(left & 31) | more];
      left >>>= 5;
    } while (left > 0);
  }
  return segment;
}

/** `map` as the bundler wrote it: each number but the column's counts on from the one before, in all lines. */
export function keepOwnLines(map) {
  const isOwn = map.sources.map((path) => !path.includes('node_modules/'));
  const read = { source: 0, line: 0, column: 0 };
  let written = { source: 0, line: 0, column: 0 };
  const keepOfLine = (segments) => {
    const kept = [];
    let column = 0;
    let writtenColumn = 0;
    let place = null;
    for (const segment of segments.split(',').filter(Boolean)) {
      const [byColumns, bySources, byLines, byOwnColumns] = decode(segment);
      column += byColumns;
      if (bySources !== undefined) {
        read.source += bySources;
        read.line += byLines;
        read.column += byOwnColumns;
      }
      const isOurs = bySources !== undefined && isOwn[read.source];
      const next = isOurs ? `${read.source} ${read.line}` : '';
      if (next === place) continue;
      place = next;
      const from = [read.source - written.source, read.line - written.line, read.column - written.column];
      kept.push(encode([column - writtenColumn, ...(isOurs ? from : [])]));
      writtenColumn = column;
      if (isOurs) written = { ...read };
    }
    return kept.join(',');
  };
  return { ...map, names: [], mappings: map.mappings.split(';').map(keepOfLine).join(';') };
}
