// What lies between the grid and the curve: limits as bands, alarms and downtimes as shades.
import type uPlot from 'uplot';
import { isHigh, severityOfBand } from '../../domain/judging/band.ts';
import type { Looks } from './looks.ts';
import type { ChartData } from './series.ts';

const SHADE_STRENGTH = 0.14;
const BAND_STRENGTH = 0.08;
const STRIP_PX = 5;

export function paintBackground(plot: uPlot, data: ChartData, looks: Looks): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const span of data.spans) paintSpan(plot, span, looks);
  for (const limit of data.limits) paintLimit(plot, limit, looks);
  ctx.restore();
}

function paintSpan(plot: uPlot, { kind, from, to }: ChartData['spans'][number], looks: Looks): void {
  const { ctx, bbox } = plot;
  const [left, width] = place(plot, from, to);
  ctx.fillStyle = looks[kind];
  ctx.globalAlpha = SHADE_STRENGTH;
  ctx.fillRect(left, bbox.top, width, bbox.height);
  // Not by colour alone: an alarm has a strip at the top, a downtime and a stale period at the bottom, the latter dotted.
  ctx.globalAlpha = 1;
  const strip = STRIP_PX * devicePixelRatio;
  if (kind === 'critical') ctx.fillRect(left, bbox.top, width, strip);
  else if (kind === 'warning') ctx.fillRect(left, bbox.top, width, strip / 2);
  else if (kind === 'downtime') ctx.fillRect(left, bbox.top + bbox.height - strip, width, strip);
  else
    for (let at = left; at < left + width; at += 2 * strip)
      ctx.fillRect(at, bbox.top + bbox.height - strip, Math.min(strip, left + width - at), strip);
}

function paintLimit(plot: uPlot, { band, value, from, to }: ChartData['limits'][number], looks: Looks): void {
  const { ctx, bbox } = plot;
  const [left, width] = place(plot, from, to);
  const y = plot.valToPos(value, 'y', true);
  const edge = isHigh(band) ? bbox.top : bbox.top + bbox.height;
  ctx.fillStyle = looks[severityOfBand(band)];
  ctx.globalAlpha = BAND_STRENGTH;
  ctx.fillRect(left, Math.min(y, edge), width, Math.abs(edge - y));
  ctx.globalAlpha = 1;
  ctx.strokeStyle = looks[severityOfBand(band)];
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash(severityOfBand(band) === 'critical' ? [] : [6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** However short, one can see it. */
function place(plot: uPlot, from: number, to: number): [left: number, width: number] {
  const left = plot.valToPos(from / 1000, 'x', true);
  return [left, Math.max(plot.valToPos(to / 1000, 'x', true) - left, devicePixelRatio)];
}
