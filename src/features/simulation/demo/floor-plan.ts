// The floor plan of one room of the demonstration: drawn, with its units where their outlines are.

import { branchOf } from '../../../domain/equipment/place-tree.ts';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import { insertPlan, type Position, writeMarkers } from '../../../engine/floor-plans/floor-plans.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createCanvas, type Point } from '../../../platform/picture/canvas.ts';
import type { LabIds } from './people.ts';
import { placeOf } from './places.ts';
import type { DemoUnit } from './plan.ts';

const ORGANIZATION = 'Biobank';
const ROOM = 'Vault 1';

const [WIDTH, HEIGHT] = [1200, 700];
const COLUMNS = 4;
const UNIT = { width: 150, height: 120 };
const [PAPER, WALL, OUTLINE, FLOOR] = [0xffffff, 0x37474f, 0x90a4ae, 0xeceff1];

/** Along the two long walls, from the door on. */
const centreOf = (index: number): Point => [
  210 + 250 * (index % COLUMNS),
  Math.floor(index / COLUMNS) % 2 === 0 ? 150 : 550,
];

export async function drawDemoPlan(
  db: Database,
  units: readonly DemoUnit[],
  { organizations, services }: LabIds,
  now: Date,
): Promise<void> {
  const organizationId = organizations[ORGANIZATION] as OrganizationId;
  const there = units.filter((unit) => unit.organization === ORGANIZATION && placeOf(unit).location === ROOM);
  const positions = there.slice(0, 2 * COLUMNS).flatMap(({ name }, index): Position[] => {
    const serviceId = services[`${ORGANIZATION}/${name}`] as ServiceId | undefined;
    const [x, y] = centreOf(index);
    return serviceId === undefined
      ? []
      : [{ serviceId, x: Math.round((1000 * x) / WIDTH), y: Math.round((1000 * y) / HEIGHT) }];
  });
  const picture = { width: WIDTH, height: HEIGHT, png: drawRoom(positions.length) };
  await db.transaction(async (tx) => {
    const plan = await insertPlan(tx, organizationId, branchOf(ROOM), picture, now);
    if (plan) await writeMarkers(tx, { id: plan.id, organizationId }, positions);
  });
}

function drawRoom(units: number): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT, PAPER);
  const outline = (points: readonly Point[], width: number, colour: number) =>
    canvas.stroke([...points, points[0] as Point], width, colour);
  canvas.fill(FLOOR, 60, 60, WIDTH - 60, HEIGHT - 60);
  outline(
    [
      [60, 60],
      [WIDTH - 60, 60],
      [WIDTH - 60, HEIGHT - 60],
      [60, HEIGHT - 60],
    ],
    14,
    WALL,
  );
  // The door stands open.
  canvas.fill(PAPER, 50, 290, 70, 410);
  canvas.stroke(
    [
      [60, 290],
      [165, 345],
    ],
    6,
    WALL,
  );
  for (let index = 0; index < units; index += 1) {
    const [x, y] = centreOf(index);
    const [left, right] = [x - UNIT.width / 2, x + UNIT.width / 2];
    const [top, bottom] = [y - UNIT.height / 2, y + UNIT.height / 2];
    canvas.fill(PAPER, left, top, right, bottom);
    outline(
      [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ],
      4,
      OUTLINE,
    );
  }
  return canvas.png();
}
