// A chart that stands in for the drawing, follows the links to other spans, and keeps the span in the address.
import type uPlot from 'uplot';
import { moveSpan, type SpanMove } from '../../domain/chart/move-span.ts';
import { leadToSignIn } from '../app/failures.ts';
import { readNow } from '../app/moments.ts';
import { pageLanguage } from '../app/page-language.ts';
import { readLooks } from './looks.ts';
import { findNotePin } from './pin-note.ts';
import { drawPlot } from './plot.ts';
import { type ChartData, fetchSeries, type Span, writeSpan } from './series.ts';

const { say } = pageLanguage;

const REFRESH_MS = 60_000;
const MOVES: Record<string, SpanMove> = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  '+': 'closer',
  '-': 'wider',
};

export function showChart(place: HTMLElement): void {
  const {
    series = '',
    channel = '',
    over = '',
    zone = 'UTC',
    range = '',
    from = '',
    to = '',
  } = place.dataset;
  const card = place.closest('section');
  const readout = card?.querySelector<HTMLElement>('.chart-readout') ?? null;
  const links = [...(card?.querySelectorAll<HTMLAnchorElement>('a[data-range], a[data-move]') ?? [])];
  const pin = findNotePin(card, zone);
  const resting = readout?.textContent ?? '';
  let span: Span = range === '' ? { from: Date.parse(from), to: Date.parse(to) } : { range };
  let data: ChartData | null = null;
  let plot: uPlot | null = null;
  let asked = new AbortController();

  const draw = () => {
    if (!data) return;
    plot?.destroy();
    place.replaceChildren();
    place.classList.add('chart-live');
    plot = drawPlot(data, {
      place,
      zone,
      looks: readLooks(),
      onZoom: (start, end) => void show({ from: start, to: end }, true),
      onPoint: (words) => {
        if (readout)
          readout.textContent =
            words ?? (data?.at.length ? resting : say('No readings in this span of time.'));
      },
      onPress: (at) => pin?.choose(Math.min(at, readNow().getTime())),
    });
  };

  const show = async (wanted: Span, isChosen: boolean) => {
    asked.abort();
    asked = new AbortController();
    place.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetchSeries(series, { channel, over }, wanted, asked.signal);
      if (!answer) return leadToSignIn();
      [data, span] = [answer, wanted];
      draw();
      markLinks(links, span);
      if (isChosen) history.replaceState(null, '', addressOf(channel, span));
    } catch (error) {
      // Whoever asked again does not want this answer any more; else what is drawn stays.
      if ((error as Error).name !== 'AbortError' && readout)
        readout.textContent = say('The chart could not be brought up to date.');
    } finally {
      place.removeAttribute('aria-busy');
    }
  };

  const move = (how: SpanMove) => {
    if (data) void show(moveSpan(data, how, readNow().getTime()), true);
  };
  for (const link of links)
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (link.dataset.move) move(link.dataset.move as SpanMove);
      else void show({ range: link.dataset.range ?? '24h' }, true);
    });
  place.tabIndex = 0;
  place.setAttribute('role', 'group');
  place.setAttribute(
    'aria-label',
    say('Chart: arrows move it, + and − show less and more time, 0 shows the last day'),
  );
  place.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const how = MOVES[event.key];
    if (how) move(how);
    else if (event.key === '0') void show({ range: '24h' }, true);
    else if (event.key === 'n' && pin) pin.open();
    else return;
    event.preventDefault();
  });
  place.addEventListener('dblclick', () => void show({ range: '24h' }, true));
  // On paper it is light.
  for (const medium of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(medium).addEventListener('change', draw);
  new ResizeObserver(() => {
    if (plot && (plot.width !== place.clientWidth || plot.height !== place.clientHeight))
      plot.setSize({ width: place.clientWidth, height: place.clientHeight });
  }).observe(place);
  const follow = () => {
    if ('range' in span && !document.hidden && !place.matches(':hover')) void show(span, false);
  };
  setInterval(follow, REFRESH_MS);
  let newest = readNewest();
  document.addEventListener('tocsin:renewed', () => {
    if (newest === readNewest()) return;
    newest = readNewest();
    follow();
  });
  void show(span, false);
}

/** What the live part of the page says of the latest values and of the alarm. */
const readNewest = (): string =>
  [...document.querySelectorAll('#values, #standing [data-part=head]')]
    .map(({ textContent }) => textContent)
    .join();

function markLinks(links: HTMLAnchorElement[], span: Span): void {
  for (const link of links) {
    if ('range' in span && link.dataset.range === span.range) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

function addressOf(channel: string, span: Span): string {
  const address = new URL(location.href);
  for (const name of ['range', 'from', 'to', 'done', 'refused']) address.searchParams.delete(name);
  for (const [name, value] of Object.entries({ channel, ...writeSpan(span) }))
    address.searchParams.set(name, value);
  return address.href;
}
