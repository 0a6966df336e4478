import { expect, test } from 'vitest';
import { tabOf } from './tabs.tsx';

test.each([
  [{}, 'now'],
  [{ tab: 'history' }, 'history'],
  [{ tab: 'toString' }, 'now'],
  [{ channel: 'temperature', range: '7d' }, 'now'],
  [{ edit_error: 'Limits must be numbers' }, 'limits'],
  [{ limits: 'default' }, 'limits'],
  [{ limits_before: '7' }, 'limits'],
  [{ edit: 'open' }, 'limits'],
  [{ done: 'edit' }, 'limits'],
  [{ done: 'rename' }, 'settings'],
  [{ done: 'acknowledge' }, 'now'],
  [{ refused: 'no_name' }, 'settings'],
  [{ refused: 'viewer_only' }, 'now'],
  [{ done: 'constructor' }, 'now'],
] as const)('%j opens %s', (query, expected) => expect(tabOf(query)).toBe(expected));
