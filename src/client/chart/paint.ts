// What lies between the grid and the curve: limits as bands, alarms and downtimes as shades.
import type uPlot from 'uplot';
import { isHigh, severityOfBand } from '../../domain/judging/band.ts';
import { sayLimit } from '../../domain/words/say-value.ts';
import { pageLanguage } from '../app/page-language.ts';
import type { Looks } from './looks.ts';
import type { ChartData } from './series.ts';

const SHADE_STRENGTH = 0.14;
const BAND_STRENGTH = 0.08;
const STRIP_PX = 5;
const WEDGE_PX = 9;

export function paintBackground(plot: uPlot, data: ChartData, looks: Looks): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const span of data.spans) paintSpan(plot, span, looks);
  for (const limit of data.limits) paintLimit(plot, data, limit, looks);
  for (const { at } of data.marks) paintMark(plot, at, looks);
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

function paintLimit(
  plot: uPlot,
  data: ChartData,
  { band, value, from, to }: ChartData['limits'][number],
  looks: Looks,
): void {
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
  const words = sayLimit(band, value, data, pageLanguage);
  ctx.font = looks.font.replace('12px', `${11 * devicePixelRatio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = isHigh(band) ? 'bottom' : 'top';
  const room = 3 * devicePixelRatio;
  if (ctx.measureText(words).width < width)
    ctx.fillText(words, left + width - room, y + (isHigh(band) ? -room : room));
}

/** A thin line, with a wedge on top that points at it. */
function paintMark(plot: uPlot, at: number, looks: Looks): void {
  const { ctx, bbox } = plot;
  const [left] = place(plot, at, at);
  const size = WEDGE_PX * devicePixelRatio;
  ctx.strokeStyle = looks.text;
  ctx.fillStyle = looks.text;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, bbox.top + size);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(left - size / 2, bbox.top);
  ctx.lineTo(left + size / 2, bbox.top);
  ctx.lineTo(left, bbox.top + size);
  ctx.fill();
}

/** However short, one can see it. */
function place(plot: uPlot, from: number, to: number): [left: number, width: number] {
  const left = plot.valToPos(from / 1000, 'x', true);
  return [left, Math.max(plot.valToPos(to / 1000, 'x', true) - left, devicePixelRatio)];
}
