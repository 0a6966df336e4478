import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { SOURCES } from './paths.ts';

/** Whoever has the page open has just connected something, or looks for what is wrong with it. */
const EVERY_SECONDS = 2;

/** All live parts of a page come by one address. */
export const heardLive = (
  { organization, visitor }: Pick<SettingsFrame, 'organization' | 'visitor'>,
  sourceId: number,
) => ({
  path: settingsPath(`${SOURCES}/${sourceId}/heard`, organization),
  timeZone: visitor.timezone,
  everySeconds: EVERY_SECONDS,
});
