import { type Kysely, sql } from 'kysely'
import { latestRates, type RateRow } from '../currency/exchange-rates.ts'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { announceChanges } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'

export type TaxRateRow = Row<'tax_rates'>
export type ShippingMethodRow = Row<'shipping_methods'>
export type ShippingZoneRow = Row<'shipping_zones'> & { methods: readonly ShippingMethodRow[] }

/** The merchant's complete configuration: small, read at the start and after changes. */
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

/** Returns the stored settings by key. */
export async function readSettingRows(db: Kysely<Schema>): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Writes settings by key, and notifies all processes. */
export async function writeSettings({ kysely }: Database, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    await saveSettings(tx, settings)
    await configurationChanged(tx)
  })
}

/**
 * Updates settings depending on their current values, under a lock: of two concurrent changes to members of the same
 * setting, the later one sees the result of the earlier.
 * @param decide returns the settings to write by key, if any, with the caller's result
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

/** Locks settings until the transaction ends, for callers that read them in order to write them. */
export async function lockSettings(tx: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.settings})`.execute(tx)
}

/** Writes settings by key. */
export async function saveSettings(tx: Kysely<Schema>, settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    await sql`
      insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::text::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(tx)
  }
}

/** Notifies all processes on commit that the configuration has changed. */
export async function configurationChanged(tx: Kysely<Schema>): Promise<void> {
  await announceChanges(tx, ['configuration'])
}

/**
 * Returns a secret that all processes share; the first process that needs it creates it.
 * @param fresh its value if there is none yet
 */
export async function sharedSecret({ sql }: Database, fresh: string): Promise<string> {
  await sql`
    insert into settings (key, value) values ('secret', ${JSON.stringify(fresh)}::text::jsonb) on conflict (key) do nothing`
  const [row] = await sql<{ value: unknown }[]>`select value from settings where key = 'secret'`
  if (typeof row?.value !== 'string') throw new Error('setting "secret" is not a string')
  return row.value
}

/** Records the environment settings of a starting process. @returns those of the process before, if there was one */
export async function recordSetUp({ sql }: Database, setUp: Readonly<Record<string, string>>): Promise<unknown> {
  const [row] = await sql<{ value: unknown }[]>`
    with written as (
      insert into settings (key, value) values ('setUp', ${JSON.stringify(setUp)}::text::jsonb)
      on conflict (key) do update set value = excluded.value, updated_at = now())
    select value from settings where key = 'setUp'`
  return row?.value
}
