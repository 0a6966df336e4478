// Markers of a floor plan that is being made: dragged to where their units stand. What is saved are the fields beside it, which
// say the same.

export function offerPlacing(): void {
  for (const plan of document.querySelectorAll<HTMLElement>('[data-plan]')) watchPlan(plan);
}

interface Marked {
  marker: SVGElement;
  left: HTMLInputElement;
  top: HTMLInputElement;
}

function watchPlan(plan: HTMLElement): void {
  const form = plan.closest('form');
  if (!form) return;
  for (const hint of form.querySelectorAll('.hint.needs-script')) hint.classList.remove('needs-script');
  const findField = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`);
  for (const marker of plan.querySelectorAll<SVGElement>('[data-marker]')) {
    const id = marker.getAttribute('data-marker');
    const [left, top] = [findField(`x_${id}`), findField(`y_${id}`)];
    if (!left || !top) continue;
    const marked = { marker, left, top };
    for (const field of [left, top]) field.addEventListener('input', () => showMarker(marked));
    const put = form.querySelector(`[data-put="${id}"]`);
    put?.classList.remove('needs-script');
    put?.addEventListener('click', () => {
      move(marked, 50, 50);
      plan.scrollIntoView({ block: 'nearest' });
    });
    letDrag(marked, plan);
  }
}

function letDrag(marked: Marked, plan: HTMLElement): void {
  const { marker } = marked;
  marker.addEventListener('pointerdown', (event) => {
    marker.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  marker.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (!marker.hasPointerCapture(pointerId)) return;
    const { left, top, width, height } = plan.getBoundingClientRect();
    move(marked, (100 * (clientX - left)) / width, (100 * (clientY - top)) / height);
  });
}

const asShare = (share: number): string => String(Math.round(10 * Math.min(100, Math.max(0, share))) / 10);

function move(marked: Marked, left: number, top: number): void {
  marked.left.value = asShare(left);
  marked.top.value = asShare(top);
  showMarker(marked);
}

const isShare = (text: string): boolean => /^\d{1,3}([.,]\d+)?$/.test(text);

function showMarker({ marker, left, top }: Marked): void {
  const [x, y] = [left.value.trim(), top.value.trim()];
  if (!isShare(x) || !isShare(y)) {
    marker.setAttribute('display', 'none');
    return;
  }
  marker.removeAttribute('display');
  marker.setAttribute('x', `${x.replace(',', '.')}%`);
  marker.setAttribute('y', `${y.replace(',', '.')}%`);
}
