import type { WebhookKind } from '../../transport.ts';
import { shapeForAlertmanager } from './alertmanager.ts';
import { shapeForDiscord } from './discord.ts';
import { shapeForGeneric } from './generic.ts';
import { shapeForNtfy } from './ntfy.ts';
import { shapeForPagerDuty } from './pagerduty.ts';
import type { Shape } from './shape.ts';
import { shapeForSlack } from './slack.ts';
import { shapeForTeams } from './teams.ts';

export const SHAPES: Record<WebhookKind, Shape> = {
  generic: shapeForGeneric,
  slack: shapeForSlack,
  teams: shapeForTeams,
  discord: shapeForDiscord,
  ntfy: shapeForNtfy,
  pagerduty: shapeForPagerDuty,
  alertmanager: shapeForAlertmanager,
};
