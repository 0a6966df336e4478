export type Row = Record<string, string | number>;

/** Columns as wide as what is in them; columns without a word are left out. */
export function formatTable(rows: Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => String(row[name] ?? '') !== ''),
  );
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return `${lines.map(format).join('\n')}\n`;
}
