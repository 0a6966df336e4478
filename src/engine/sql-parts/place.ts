// Where a service stands, of the service that the statement calls `service`.
import sql from 'sql-template-tag';

/** Brings `asset` and `location`, each null where there is none. */
export const WITH_PLACE = sql`
  left join asset on asset.id = service.asset_id
  left join location on location.id = asset.location_id`;

/** Of the location; the same holds. */
export const LOCATION_ID = sql`(select location_id from asset where asset.id = service.asset_id)`;

/** For statements that look each row up by itself, or join nothing else. */
export const LOCATION_NAME = sql`(
  select location.name from asset join location on location.id = asset.location_id
  where asset.id = service.asset_id)`;
