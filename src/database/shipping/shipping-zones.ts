import { type Kysely, sql } from 'kysely'
import type { NewRow, RowChange, Schema } from '../engine/schema/schema.ts'
import type { ShippingZoneRow } from '../operations/configuration.ts'

/** Returns all zones with all methods, disabled ones included, in the merchant's order. */
export async function listShippingZones(db: Kysely<Schema>): Promise<ShippingZoneRow[]> {
  const zones = await db.selectFrom('shipping_zones').selectAll().orderBy('zone_order').orderBy('id').execute()
  const methods = await db
    .selectFrom('shipping_methods')
    .selectAll()
    .orderBy('position')
    .orderBy('instance_id')
    .execute()
  return zones.map((zone) => ({ ...zone, methods: methods.filter(({ zone_id }) => zone_id === zone.id) }))
}

/** Serializes writers, because ids and positions depend on other rows. Readers are not blocked. */
export async function lockShippingZones(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table shipping_zones in share row exclusive mode`.execute(tx)
}

export async function insertZone(tx: Kysely<Schema>, zone: NewRow<'shipping_zones'>): Promise<void> {
  await tx.insertInto('shipping_zones').values(zone).execute()
}

export async function updateZone(tx: Kysely<Schema>, id: number, change: RowChange<'shipping_zones'>): Promise<void> {
  await tx.updateTable('shipping_zones').set(change).where('id', '=', id).execute()
}

/** Deletes a zone with its methods. */
export async function deleteZone(tx: Kysely<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('shipping_zones').where('id', '=', id).execute()
}

export async function insertMethod(tx: Kysely<Schema>, method: NewRow<'shipping_methods'>): Promise<number> {
  const { instance_id } = await tx
    .insertInto('shipping_methods')
    .values(method)
    .returning('instance_id')
    .executeTakeFirstOrThrow()
  return instance_id
}

export async function updateMethod(
  tx: Kysely<Schema>,
  instanceId: number,
  change: RowChange<'shipping_methods'>,
): Promise<void> {
  await tx.updateTable('shipping_methods').set(change).where('instance_id', '=', instanceId).execute()
}

export async function deleteMethod(tx: Kysely<Schema>, instanceId: number): Promise<void> {
  await tx.deleteFrom('shipping_methods').where('instance_id', '=', instanceId).execute()
}
