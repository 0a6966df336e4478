/** `METHOD /path` of each line of the framework's drawing; four signs of indentation per level. */
export function listRoutes(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, drawing = '', part = '', methods = ''] =
      /^([│├└─\s]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    const depth = drawing.length / 4;
    const path = (above[depth - 1] ?? '') + part;
    above[depth] = path;
    above.length = depth + 1;
    const asked = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
    return asked.map((method) => `${method} ${path}`);
  });
}
