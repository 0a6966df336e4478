// What every page gets beside htmx. Pages work without it; with it they stay true while they are looked at.
import { watchBanner } from './app/banner.ts';
import { offerCopying } from './app/copy.ts';
import { showFailures } from './app/failures.ts';
import { offerPlacing } from './app/floor-plan.ts';
import { keepInstalled } from './app/install.ts';
import { keepFocus } from './app/keep-focus.ts';
import { offerKeys } from './app/keys.ts';
import { keepLive } from './app/live.ts';
import { closeMenu } from './app/menu.ts';
import { keepMoments } from './app/moments.ts';
import { offerSearch } from './app/search.ts';
import { countSelected } from './app/select-units.ts';
import { tickSpans } from './app/spans.ts';

showFailures();
tickSpans();
keepMoments();
closeMenu();
offerCopying();
offerSearch();
offerKeys();
countSelected();
offerPlacing();
keepFocus();
keepLive();
watchBanner();
keepInstalled().catch(() => {});
