// A floor plan with the units that stand in it. Places are shares of the picture, so they hold however large it is drawn.
import { STATE_WORDS } from '../../domain/equipment/unit-state.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import type { FloorPlan, Marker } from './floor-plans.ts';

export interface PlanModel {
  plan: Pick<FloorPlan, 'width' | 'height'>;
  /** Of the picture. */
  src: string;
  name: string;
  markers: readonly ShownMarker[];
}

/** Both null: it has no place in the picture yet. */
type ShownMarker = Omit<Marker, 'x' | 'y'> & { x: number | null; y: number | null };

/** As it is now: another picture has another address. */
export const pictureVersion = ({ changedAt }: Pick<FloorPlan, 'changedAt'>): string =>
  changedAt.getTime().toString(36);

export const planPicturePath = (plan: Pick<FloorPlan, 'id' | 'changedAt'>): string =>
  `/floor-plans/${plan.id}/picture?v=${pictureVersion(plan)}`;

interface PlanProps extends PlanModel {
  /** Nobody can follow links where it hangs. */
  isOnWall?: boolean;
  /** Markers can be moved where scripts run. */
  isMovable?: boolean;
}

export const Plan = ({ plan, src, name, markers, isOnWall, isMovable }: PlanProps) => {
  const { say } = useLanguage();
  return (
    <div class="plan" data-plan={isMovable ? '' : undefined}>
      <img src={src} width={plan.width} height={plan.height} alt={say('Floor plan of {name}', { name })} />
      <svg class="plan-markers" aria-label={say('Units on the floor plan')}>
        {markers.map((marker) => (
          <PlanMarker
            key={marker.serviceId}
            marker={marker}
            isLink={!isOnWall && !isMovable}
            isNamed={isMovable}
          />
        ))}
      </svg>
    </div>
  );
};

interface MarkerProps {
  marker: ShownMarker;
  isLink: boolean;
  isNamed: boolean | undefined;
}

const PlanMarker = ({ marker, isLink, isNamed }: MarkerProps) => {
  const { say } = useLanguage();
  const { serviceId, name, state, x, y } = marker;
  const said = say('{service}: {state}', { service: name, state: say(STATE_WORDS[state]) });
  const shape = (
    <g class={`plan-marker plan-marker-${state}`}>
      <title>{said}</title>
      <circle class="plan-marker-ground" r="13" />
      <path d={SHAPES[state]} />
      {isNamed && (
        <text class="plan-marker-name" y="28" text-anchor="middle">
          {name}
        </text>
      )}
    </g>
  );
  const isPlaced = x !== null && y !== null;
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its shape has one
    <svg
      x={`${(x ?? 0) / 10}%`}
      y={`${(y ?? 0) / 10}%`}
      overflow="visible"
      display={isPlaced ? undefined : 'none'}
      data-marker={serviceId}
    >
      {isLink ? (
        <a href={`/services/${serviceId}`} aria-label={said}>
          {shape}
        </a>
      ) : (
        shape
      )}
    </svg>
  );
};

const CIRCLE = 'M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z';

/** As the dots have them. */
const SHAPES: Record<Marker['state'], string> = {
  critical: 'M-3.5-8h7l4.5 4.5v7l-4.5 4.5h-7l-4.5-4.5v-7z',
  warning: 'M0-8l8.5 15h-17z',
  stale: CIRCLE,
  downtime: 'M-6-7h4v14h-4zM2-7h4v14h-4z',
  unwatched: CIRCLE,
  muted: 'M-7-3h4l5-5v16l-5-5h-4z',
  normal: CIRCLE,
};
