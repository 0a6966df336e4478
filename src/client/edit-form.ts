// What was typed into the edit form comes back when it was refused: the refusal is a redirect and cannot carry it.

const KEY = 'tocsin-edit-form';
const form = document.querySelector<HTMLFormElement>('#edit-form');

if (form) {
  if (form.dataset.keeps === 'refused') fillIn(form);
  sessionStorage.removeItem(KEY);
  form.addEventListener('submit', () => {
    const fields = [...new FormData(form)].filter(([, value]) => typeof value === 'string');
    sessionStorage.setItem(KEY, JSON.stringify({ action: form.action, fields }));
  });
}

function fillIn(target: HTMLFormElement): void {
  const kept = readKept();
  if (kept?.action !== target.action) return;
  const values = new Map(kept.fields);
  for (const field of target.elements) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox')
      field.checked = values.has(field.name);
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = values.get(field.name) ?? field.value;
  }
}

function readKept(): { action: string; fields: [string, string][] } | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}
