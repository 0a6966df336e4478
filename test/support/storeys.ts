// The rooms of the engine fall into storeys, and the picture of them in docs/architecture.md is drawn from the imports.
import { findCycles, importsOf, isTest, type Sources } from './architecture.ts';

/** From the bottom to the top: a room imports its own storey and those below. */
const STOREYS: [name: string, rooms: string[]][] = [
  ['what many ask for', ['audit', 'first-steps', 'letters', 'mosts', 'sql-parts']],
  ['readings', ['journal', 'nodes', 'readings']],
  ['what is to be told', ['outbox']],
  [
    'alarms',
    [
      'acts',
      'advice',
      'alarm-state',
      'codecs',
      'equipment',
      'floor-plans',
      'guidance',
      'ingest',
      'organizations',
      'packing',
      'quiet-times',
      'rescue',
      'services',
      'sources',
    ],
  ],
  [
    'people, and telling them',
    [
      'accounts',
      'delivery',
      'delivery-settings',
      'forecasts',
      'groups',
      'mail',
      'on-call',
      'providers',
      'relays',
      'reminders',
      'requests',
      'sign-in',
      'told',
      'transports',
    ],
  ],
  ['the program and its pages', ['command-line', 'pages', 'program', 'self-watch']],
];

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const roomOf = (file: string): string | undefined => /^engine\/([^/]+)\//.exec(file)?.[1];

function readArrows(sources: Sources): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const [file, text] of Object.entries(sources)) {
    const room = roomOf(file);
    if (room === undefined || isTest(file)) continue;
    const known = arrows.get(room) ?? new Set();
    arrows.set(room, known);
    for (const imported of importsOf(file, text)) {
      const other = roomOf(imported);
      if (other !== undefined && other !== room) known.add(other);
    }
  }
  return arrows;
}

/** Of two rooms one is below the other. */
export const findRoomCycles = (sources: Sources): string[] => findCycles(readArrows(sources));

export function findStoreyFaults(sources: Sources, storeys = STOREYS): string[] {
  const storeyOf = new Map(
    storeys.flatMap(([, rooms], index) => rooms.map((room) => [room, index] as const)),
  );
  const arrows = readArrows(sources);
  const homeless = [...arrows.keys()].filter((room) => !storeyOf.has(room));
  const empty = [...storeyOf.keys()].filter((room) => !arrows.has(room));
  const upward = [...arrows].flatMap(([room, others]) =>
    [...others]
      .filter((other) => (storeyOf.get(other) ?? 0) > (storeyOf.get(room) ?? 0))
      .map((other) => `engine/${room} imports engine/${other} from a storey above`),
  );
  return [
    ...homeless.map((room) => `engine/${room} is in no storey`),
    ...empty.map((room) => `there is no engine/${room}`),
    ...upward,
  ];
}

/** As Mermaid has it, the upper storeys first. An arrow that others lead to as well is left out. */
export function drawStoreys(sources: Sources, storeys = STOREYS): string {
  const arrows = readArrows(sources);
  const lines = ['flowchart TB'];
  for (const [index, [name, rooms]] of [...storeys.entries()].reverse())
    lines.push(`  subgraph s${index} ["${name}"]`, ...rooms.map((room) => `    ${room}`), '  end');
  for (const [room, others] of [...arrows].sort(([one], [other]) => one.localeCompare(other)))
    for (const other of [...others].sort()) {
      const around = [...others].filter((one) => one !== other);
      if (!around.some((one) => leadsTo(arrows, one, other))) lines.push(`  ${room} --> ${other}`);
    }
  return lines.join('\n');
}

function leadsTo(arrows: Arrows, from: string, to: string): boolean {
  const next = arrows.get(from) ?? new Set();
  return next.has(to) || [...next].some((one) => leadsTo(arrows, one, to));
}
