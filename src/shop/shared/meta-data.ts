import type { MetaDataInput } from '#contract/shared/rest-meta-data.ts'

/** Data that a program attaches to a record. `value` is any JSON. */
export type MetaEntry = { readonly id: number; readonly key: string; readonly value: unknown }
/** The same as a column holds it. */
export type StoredMetaData = Record<'entries', readonly MetaEntry[]>

/** Returns the entries of a column, which only `changedMetaData` writes. */
export const metaEntries = (column: object): readonly MetaEntry[] => (column as Partial<StoredMetaData>).entries ?? []

/** Ids below it are of entries that the shop derives itself. */
const firstId = 1001
const mostEntries = 500
const mostCharacters = 200_000

/** Keys that the shop derives from its own columns. */
const ownKey = /^_(?:wc_order_attribution|vitrine)_/

/**
 * Applies a program's entries: one with an id, or with the key of an existing one, replaces it; null deletes it.
 * @returns the column's new value, or the problem
 */
export function changedMetaData(
  stored: object,
  given: MetaDataInput,
): { ok: true; column: StoredMetaData } | { ok: false; problem: string } {
  let entries = [...metaEntries(stored)]
  for (const { id, key, value } of given) {
    const existing = entries.find((entry) => (id === undefined ? entry.key === key : entry.id === id))
    if (value === null || value === undefined) {
      entries = entries.filter((entry) => entry !== existing)
    } else if (existing) {
      const next = { ...existing, key: key || existing.key, value }
      entries = entries.map((entry) => (entry === existing ? next : entry))
    } else if (key !== '' && !ownKey.test(key)) {
      const last = Math.max(firstId - 1, ...entries.map((entry) => entry.id))
      entries.push({ id: last + 1, key, value })
    }
  }
  // PostgreSQL accepts no null character and no lone surrogate in JSON.
  const json = JSON.stringify(entries, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )
  if (entries.length > mostEntries || json.length > mostCharacters) return { ok: false, problem: 'is too large' }
  return { ok: true, column: { entries: JSON.parse(json) as MetaEntry[] } }
}
