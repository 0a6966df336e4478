// The queue that a letter stands in: all that one organization sends to one receiver. Whoever takes letters shares them out
// among lanes and organizations where it locks them, so that both are read out of the name there too.
import sql, { type Sql } from 'sql-template-tag';

/**
 * Of `organization_id`, `transport` and `recipient`. What an organization sends to one host is a lane, whatever the webhooks
 * and methods on it: when it hangs, only they wait. So is its mail, and what it has told by each provider of the installation.
 */
export const LANE = sql`
  case transport when 'email' then 'email ' || organization_id
    when 'method' then 'method ' || organization_id || ' ' || coalesce(${hostIn(sql`method.address`)}, method.kind, recipient)
    else 'webhook ' || organization_id || ' ' || coalesce(${hostIn(sql`webhook.url`)}, recipient) end`;

/** null: it is no address of the web. */
function hostIn(address: Sql): Sql {
  return sql`lower(substring(${address} from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)'))`;
}

export const IS_MAIL_LANE = sql`starts_with(lane, 'email')`;
export const LANE_OWNER = sql`split_part(lane, ' ', 2)`;

/** `email 7` is the mail of an organization, `webhook 7 host.example` what it sends to a host. */
export const isMailLane = (lane: string): boolean => lane.startsWith('email');
export const findOwner = (lane: string): string => lane.split(' ')[1] ?? lane;
