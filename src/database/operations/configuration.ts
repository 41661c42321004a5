import { type Kysely, sql } from 'kysely'
import { latestRates, type RateRow } from '../currency/exchange-rates.ts'
import { announceChanges } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'

export type TaxRateRow = Row<'tax_rates'>
export type ShippingMethodRow = Row<'shipping_methods'>
export type ShippingZoneRow = Row<'shipping_zones'> & { methods: readonly ShippingMethodRow[] }

/** All that the merchant has configured: small, read at the start and when it changes. */
export type StoredConfiguration = {
  settings: Readonly<Record<string, unknown>>
  taxRates: readonly TaxRateRow[]
  shippingZones: readonly ShippingZoneRow[]
  rates: readonly RateRow[]
}

export async function readConfiguration({ kysely }: Pick<Database, 'kysely'>): Promise<StoredConfiguration> {
  const [settings, taxRates, zones, methods, rates] = await Promise.all([
    readSettingRows(kysely),
    kysely.selectFrom('tax_rates').selectAll().orderBy('id').execute(),
    kysely.selectFrom('shipping_zones').selectAll().orderBy('zone_order').orderBy('id').execute(),
    kysely
      .selectFrom('shipping_methods')
      .selectAll()
      .where('enabled', '=', true)
      .orderBy('position')
      .orderBy('instance_id')
      .execute(),
    latestRates(kysely),
  ])
  return {
    settings,
    taxRates,
    shippingZones: zones.map((zone) => ({ ...zone, methods: methods.filter(({ zone_id }) => zone_id === zone.id) })),
    rates,
  }
}

/** The settings as they are stored, by key. */
export async function readSettingRows(db: Kysely<Schema>): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Writes settings by key and tells every process of the shop. */
export async function writeSettings({ kysely }: Database, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    await saveSettings(tx, settings)
    await configurationChanged(tx)
  })
}

/**
 * Writes settings by what they are now. Nobody else does meanwhile: of two who change members of the same setting at once, the
 * later finds what the earlier has made of it.
 * @param decide what to write by key, if anything, among what the caller wants to know
 */
export async function updateSettings<Result extends { readonly write?: Readonly<Record<string, unknown>> }>(
  { kysely }: Pick<Database, 'kysely'>,
  decide: (stored: Readonly<Record<string, unknown>>) => Result | Promise<Result>,
): Promise<Result> {
  return kysely.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const result = await decide(await readSettingRows(tx))
    if (result.write) {
      await saveSettings(tx, result.write)
      await configurationChanged(tx)
    }
    return result
  })
}

/** Any constant that no other program takes. */
const settingsLock = 7_305_118

/** Until the transaction ends, for whoever reads settings in order to write them. */
export async function lockSettings(tx: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${settingsLock})`.execute(tx)
}

/** Writes settings by key. */
export async function saveSettings(tx: Kysely<Schema>, settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await sql`
      insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::text::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(tx)
  }
}

/** Tells every process of the shop, once the transaction is through, to read its configuration again. */
export async function configurationChanged(tx: Kysely<Schema>): Promise<void> {
  await announceChanges(tx, ['configuration'])
}

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

/** Notes what the process that starts was given, beside the settings. @returns what the one before it had noted, if any had */
export async function recordSetUp({ sql }: Database, setUp: Readonly<Record<string, string>>): Promise<unknown> {
  const [row] = await sql<{ value: unknown }[]>`
    with written as (
      insert into settings (key, value) values ('setUp', ${JSON.stringify(setUp)}::text::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now())
    select value from settings where key = 'setUp'`
  return row?.value
}
