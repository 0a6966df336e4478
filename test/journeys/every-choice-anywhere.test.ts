// Every form on every page that links lead to: whatever it offers to choose is sent, and nothing of it ends in a failure of
// ours. Pages and forms are found by walking, so that new ones are tried without a line here. What becomes of each choice is
// looked at in every-choice-of-services.test.ts and every-choice-of-settings.test.ts.
import { beforeAll, expect, test } from 'vitest';
import { type ChoiceHouse, oneOfEachShape, openChoiceHouse } from '../support/choice-house.ts';
import { type PageForm, readForms } from '../support/page-forms.ts';
import { patternOf, walkPages } from '../support/walk-pages.ts';

let house: ChoiceHouse;
let pages: Awaited<ReturnType<typeof walkPages>>;
beforeAll(async () => {
  house = await openChoiceHouse();
  const { id } = house.freezer;
  const device = await house.addDevice();
  await house.addFreezer();
  // Some forms stand there once something is chosen.
  const from = [
    '/',
    `/settings/channels?service=${id}`,
    `/settings/gateways?gateway=${id}`,
    `/alarms/${id}`,
    device,
  ];
  pages = await walkPages(house.ada, from);
}, 120_000);

const EXAMPLES: Record<string, string> = {
  text: 'Example',
  email: 'somebody@lab.example',
  url: 'https://receiver.example/in',
  password: 'R0uting-12345678',
  number: '7',
  date: '2027-01-05',
  time: '08:00',
  'day and time': '2027-01-05 08:00',
};

/** As a browser asks for what is left empty. */
const fill = ({ untouched, required }: PageForm): Record<string, string> => ({
  ...untouched,
  ...Object.fromEntries(
    [...required]
      .filter(([name]) => !untouched[name])
      .map(([name, type]) => [name, EXAMPLES[type] ?? 'Example']),
  ),
});

/** What ends something for the one who asks comes last. */
const rank = (action: string): number =>
  /logout/.test(action)
    ? 3
    : /role|leave|members/.test(action)
      ? 2
      : /delete|remove|revoke|archive/.test(action)
        ? 1
        : 0;

const variantsOf = (form: PageForm): Record<string, string>[] => {
  const filled = fill(form);
  const chosen = [...form.choices.values()].flatMap((choices) =>
    (choices.length > 50 ? oneOfEachShape(choices) : choices).map(({ name, value }) => ({
      ...filled,
      [name]: value,
    })),
  );
  const ticked = [...form.boxes.values()].flatMap(({ name, value }) => {
    const { [name]: _, ...unticked } = filled;
    return [{ ...filled, [name]: value }, unticked];
  });
  return [...chosen, ...ticked];
};

/** Those show AM and PM wherever the browser's language does. */
test('no form asks for a time by a field of the browser', () => {
  const asking = [...pages].filter(([, { html }]) => /type="(?:datetime-local|time|datetime)"/.test(html));
  expect(asking.map(([address]) => address)).toEqual([]);
  const typed = [...pages.values()].flatMap(({ html }) => html.match(/class="typed-(?:time|clock)"/g) ?? []);
  expect(typed.length).toBeGreaterThan(10);
});

test('no choice of any form ends in a failure', async () => {
  const forms = new Map<string, PageForm>();
  for (const { html } of pages.values())
    for (const form of readForms(html))
      forms.set(
        `${form.method} ${patternOf(form.action)} ${Object.keys(form.untouched)} ${form.untouched.kind}`,
        form,
      );
  const withChoices = [...forms.values()]
    .filter(({ choices, boxes }) => choices.size + boxes.size > 0)
    .sort((one, other) => rank(one.action) - rank(other.action));
  expect(pages.size).toBeGreaterThan(25);
  expect(withChoices.length).toBeGreaterThan(25);
  const failed: string[] = [];
  let sent = 0;
  for (const form of withChoices)
    for (const variant of variantsOf(form)) {
      const { pathname, search } = new URL(form.action, house.server.url);
      const answer =
        form.method === 'post'
          ? await house.ada.send(form.action, variant)
          : await house.ada.open(
              `${pathname}?${new URLSearchParams([...new URLSearchParams(search), ...Object.entries(variant)])}`,
            );
      sent += 1;
      await answer.arrayBuffer();
      if (answer.status >= 500)
        failed.push(`${form.method} ${form.action} ${JSON.stringify(variant)}: ${answer.status}`);
    }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(200);
}, 300_000);
