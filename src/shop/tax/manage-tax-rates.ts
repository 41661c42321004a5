import type { TaxRateFields } from '#contract/tax/tax-rates-csv.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import { configurationChanged } from '#database/operations/configuration.ts'
import {
  listTaxRates,
  lockTaxRates,
  type TaxRateChanges,
  type TaxRateColumns,
  writeTaxRates,
} from '#database/tax/tax-rates.ts'
import type { Tools } from '../shared/tools.ts'

export type StoredTaxRate = TaxRateFields & { readonly id: number }

/** Counts of a change of the tax table. */
export type TaxRateCounts = {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

type TaxTools = Pick<Tools, 'db' | 'clock' | 'chance'>

/**
 * Import mode. `merge`: a rate of the same location, class and priority is updated, any other inserted, none deleted.
 * `replace`: the given rates replace the table, in that order.
 */
export type Joining = 'merge' | 'replace'

export async function showTaxRates({ db }: Pick<Tools, 'db'>): Promise<StoredTaxRate[]> {
  return (await listTaxRates(db.kysely)).map(taxRateFrom)
}

/** Saves all of the rates or none. */
export async function saveTaxRates(
  tools: TaxTools,
  rates: readonly TaxRateFields[],
  joining: Joining,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<TaxRateCounts> {
  return transaction(tools, async (tx) => {
    await lockTaxRates(tx)
    const { changes, counts } = taxRateChanges((await listTaxRates(tx)).map(taxRateFrom), rates, joining)
    if (!dryRun && counts.added + counts.changed + counts.removed > 0) {
      await writeTaxRates(tx, changes)
      await configurationChanged(tx)
    }
    return counts
  })
}

/** Adds a rate after all others, even where an equal one exists. */
export async function addTaxRate(tools: TaxTools, rate: TaxRateFields): Promise<StoredTaxRate> {
  return transaction(tools, async (tx) => {
    await lockTaxRates(tx)
    await writeTaxRates(tx, { remove: [], update: [], insert: [taxRateColumns(rate)] })
    await configurationChanged(tx)
    const row = (await listTaxRates(tx)).at(-1)
    if (!row) throw new Error('the tax rate is missing after the write')
    return taxRateFrom(row)
  })
}

/**
 * Changes one rate.
 * @param decide returns the rate to store, or what is wrong
 * @returns null for an unknown number
 */
export async function changeTaxRate<Refusal extends { readonly ok: false }>(
  tools: TaxTools,
  id: number,
  decide: (rate: StoredTaxRate) => { readonly ok: true; readonly value: TaxRateFields } | Refusal,
): Promise<{ readonly ok: true; readonly value: StoredTaxRate } | Refusal | null> {
  return transaction(tools, async (tx) => {
    await lockTaxRates(tx)
    const row = (await listTaxRates(tx)).find((rate) => rate.id === id)
    if (!row) return null
    const decided = decide(taxRateFrom(row))
    if (!decided.ok) return decided
    await writeTaxRates(tx, { remove: [], update: [{ id, columns: taxRateColumns(decided.value) }], insert: [] })
    await configurationChanged(tx)
    return { ok: true, value: { ...decided.value, id } }
  })
}

/** Deletes the rates of a tax class. @returns their number */
export async function removeTaxRatesOfClass(tools: TaxTools, taxClass: string): Promise<number> {
  return transaction(tools, async (tx) => {
    await lockTaxRates(tx)
    const remove = (await listTaxRates(tx)).filter((rate) => rate.class === taxClass).map(({ id }) => id)
    if (remove.length === 0) return 0
    await writeTaxRates(tx, { remove, update: [], insert: [] })
    await configurationChanged(tx)
    return remove.length
  })
}

/** @returns the deleted rate, or null for an unknown number */
export async function removeTaxRate(tools: TaxTools, id: number): Promise<StoredTaxRate | null> {
  return transaction(tools, async (tx) => {
    await lockTaxRates(tx)
    const row = (await listTaxRates(tx)).find((rate) => rate.id === id)
    if (!row) return null
    await writeTaxRates(tx, { remove: [id], update: [], insert: [] })
    await configurationChanged(tx)
    return taxRateFrom(row)
  })
}

/**
 * Matches every rate with at most one stored one: first an equal, then one of the same location, class and priority.
 */
export function taxRateChanges(
  stored: readonly StoredTaxRate[],
  given: readonly TaxRateFields[],
  joining: Joining,
): { readonly changes: TaxRateChanges; readonly counts: TaxRateCounts } {
  const equals = pairs(stored, given, (rate) => JSON.stringify(taxRateColumns(rate)))
  const rest = given.filter((rate) => !equals.has(rate))
  const taken = new Set(equals.values())
  const alike = pairs(
    stored.filter((rate) => !taken.has(rate)),
    rest,
    placeKey,
  )
  const fresh = rest.filter((rate) => !alike.has(rate))
  const removed = joining === 'replace' ? stored.length - equals.size - alike.size : 0
  const counts = { added: fresh.length, changed: alike.size, removed, unchanged: equals.size }
  const update = [...alike].map(([rate, { id }]) => ({ id, columns: taxRateColumns(rate) }))
  return {
    counts,
    changes:
      joining === 'merge' ? { remove: [], update, insert: fresh.map(taxRateColumns) } : replacement(stored, given),
  }
}

/** Reuses the rows in order: the number decides between two rates that match equally well. */
function replacement(stored: readonly StoredTaxRate[], given: readonly TaxRateFields[]): TaxRateChanges {
  const update = stored.flatMap((row, index) => {
    const rate = given[index]
    if (!rate) return []
    const columns = taxRateColumns(rate)
    return JSON.stringify(columns) === JSON.stringify(taxRateColumns(row)) ? [] : [{ id: row.id, columns }]
  })
  return {
    remove: stored.slice(given.length).map(({ id }) => id),
    update,
    insert: given.slice(stored.length).map(taxRateColumns),
  }
}

function pairs<Stored extends TaxRateFields>(
  stored: readonly Stored[],
  given: readonly TaxRateFields[],
  key: (rate: TaxRateFields) => string,
): Map<TaxRateFields, Stored> {
  const free = Map.groupBy(stored, key)
  const found = new Map<TaxRateFields, Stored>()
  for (const rate of given) {
    const partner = free.get(key(rate))?.shift()
    if (partner) found.set(rate, partner)
  }
  return found
}

/** Returns the key of location, class and priority, which a merge matches by. */
export function placeKey({ country, state, postcodes, cities, priority, class: taxClass }: TaxRateFields): string {
  return JSON.stringify([country, state, postcodes, cities, priority, taxClass])
}

export function taxRateFrom({ rate_ppm, ...row }: Row<'tax_rates'>): StoredTaxRate {
  return { ...row, ratePpm: rate_ppm }
}

/** Returns the members in a fixed order, so that their JSON can be compared. */
function taxRateColumns({ country, state, postcodes, cities, ratePpm, name, ...rate }: TaxRateFields): TaxRateColumns {
  const { priority, compound, shipping, class: taxClass } = rate
  return {
    country,
    state,
    postcodes: [...postcodes],
    cities: [...cities],
    rate_ppm: ratePpm,
    name,
    priority,
    compound,
    shipping,
    class: taxClass,
  }
}
