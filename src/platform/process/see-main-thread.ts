// Where the main thread is, seen from another one. It is interrupted for that, also within an expression that never ends;
// names of functions and places in the source are all that is read, no values.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../project-root.ts';

const MOST_FRAMES = 12;

interface Frame {
  functionName: string;
  location: { scriptId: string; lineNumber: number; columnNumber?: number | undefined };
}

/** Innermost first; null: it could not be seen in time, as in a collection of garbage that does not end. */
export const seeMainThread = (patienceMs: number): Promise<string[] | null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), patienceMs);
    const urls = new Map<string, string>();
    const session = new Session();
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) =>
      resolve(params.callFrames.slice(0, MOST_FRAMES).map((frame) => describeFrame(frame, urls))),
    );
    session.connectToMainThread();
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  });

function describeFrame({ functionName, location }: Frame, urls: ReadonlyMap<string, string>): string {
  const url = urls.get(location.scriptId) ?? '';
  return `${functionName || 'unnamed'} (${describePlace(url, location.lineNumber, location.columnNumber ?? 0)})`;
}

const maps = new Map<string, SourceMap | null>();

/** By the source where the bundle has a map, else by the line that runs. */
function describePlace(url: string, line: number, column: number): string {
  if (!url.startsWith('file:')) return `${url || 'no file'}:${line + 1}`;
  const file = fileURLToPath(url);
  const entry = readMap(file)?.findEntry(line, column);
  if (entry && 'originalSource' in entry && entry.originalSource)
    return `${entry.originalSource.replace(/^(\.\.\/)+/, '')}:${entry.originalLine + 1}`;
  return `${relative(projectRoot, file)}:${line + 1}:${column + 1}`;
}

function readMap(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // Not a file of ours.
  }
  maps.set(file, map);
  return map;
}
