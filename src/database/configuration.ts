import type { Database } from './connect.ts'
import type { Row } from './schema.ts'

export type TaxRateRow = Row<'tax_rates'>
export type ShippingMethodRow = Row<'shipping_methods'>
export type ShippingZoneRow = Row<'shipping_zones'> & { methods: readonly ShippingMethodRow[] }

/** All that the merchant has configured: small, read at the start and when it changes. */
export type StoredConfiguration = {
  settings: Readonly<Record<string, unknown>>
  taxRates: readonly TaxRateRow[]
  shippingZones: readonly ShippingZoneRow[]
}

export async function readConfiguration({ kysely }: Database): Promise<StoredConfiguration> {
  const [settings, taxRates, zones, methods] = await Promise.all([
    kysely.selectFrom('settings').select(['key', 'value']).execute(),
    kysely.selectFrom('tax_rates').selectAll().orderBy('id').execute(),
    kysely.selectFrom('shipping_zones').selectAll().orderBy('zone_order').orderBy('id').execute(),
    kysely
      .selectFrom('shipping_methods')
      .selectAll()
      .where('enabled', '=', true)
      .orderBy('position')
      .orderBy('instance_id')
      .execute(),
  ])
  return {
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
    taxRates,
    shippingZones: zones.map((zone) => ({ ...zone, methods: methods.filter(({ zone_id }) => zone_id === zone.id) })),
  }
}

/** Writes settings by key and tells every process of the shop. */
export async function writeSettings({ sql }: Database, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const rows = Object.entries(settings)
  await sql.begin(async (tx) => {
    for (const [key, value] of rows) {
      await tx`
        insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::text::jsonb)
        on conflict (key) do update set value = excluded.value, updated_at = now()`
    }
    await tx`select pg_notify(${changeChannel}, 'configuration')`
  })
}

/** Processes listen here; the payload says what changed: `configuration` or `catalog`. */
export const changeChannel = 'vitrine_change'

/**
 * A secret that all processes share: made by the first one that needs it.
 * @param fresh what it becomes if there is none yet
 */
export async function sharedSecret({ sql }: Database, fresh: string): Promise<string> {
  await sql`
    insert into settings (key, value) values ('secret', ${JSON.stringify(fresh)}::text::jsonb) on conflict (key) do nothing`
  const [row] = await sql<{ value: unknown }[]>`select value from settings where key = 'secret'`
  if (typeof row?.value !== 'string') throw new Error('the setting "secret" is not a text')
  return row.value
}
