import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { ClockField, TimeField } from './time-field.tsx';

test.each([
  ['2026-11-15T04:00', 'value="2026-11-15 04:00"'],
  ['2026-11-15T04:00:30Z', 'value="2026-11-15 04:00:30Z"'],
  ['Tomorrow', 'value="Tomorrow"'],
])('%s stands there as %s', (value, expected) =>
  expect(renderToString(<TimeField name="from" label="From" value={value} />)).toContain(expected),
);

test('no browser makes something else of it', () => {
  const html = renderToString(
    <>
      <TimeField name="from" label="From" input={{ required: true }} />
      <ClockField name="at" label="At" value="08:00" />
    </>,
  );
  expect(html).not.toContain('type=');
  expect(html).toContain('required');
});
