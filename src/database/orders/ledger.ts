import type { Kysely, Transaction } from 'kysely'
import { insertRows } from '../engine/insert-rows.ts'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** An event of an order or its money, as stored in the ledger. */
export type LedgerEvent = { kind: string; data: Record<string, string | number | boolean | null> }

/** The last entry of an order's hash chain. */
export type LedgerEnd = Pick<Row<'ledger'>, 'seq' | 'hash'>

/** For an order that the same transaction has just inserted. */
export const emptyLedger: LedgerEnd = { seq: 0, hash: '' }

/**
 * Requires the lock of the order's row, held by the transaction or taken by a statement sent together with this one.
 */
export async function findLedgerEnd(tx: Tx, orderId: number): Promise<LedgerEnd> {
  const last = await tx
    .selectFrom('ledger')
    .select(['seq', 'hash'])
    .where('order_id', '=', orderId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? emptyLedger
}

/**
 * Appends events to an order's hash chain: each entry's hash covers the one before, so that any change is detected.
 * Requires the lock of the order's row, so that no other transaction appends.
 * @param end the current end, if known under that lock; otherwise it is read
 * @returns the new end
 */
export async function appendToLedger(
  tx: Tx,
  orderId: number,
  at: Date,
  events: readonly LedgerEvent[],
  digest: (text: string) => string,
  end?: LedgerEnd,
): Promise<LedgerEnd> {
  const last = end ?? (await findLedgerEnd(tx, orderId))
  const entries = ledgerEntries(orderId, at, events, digest, last)
  await insertRows(tx, 'ledger', entries)
  return entries.at(-1) ?? last
}

/** Returns the entries of events after `end` in an order's chain. */
export function ledgerEntries(
  orderId: number,
  at: Date,
  events: readonly LedgerEvent[],
  digest: (text: string) => string,
  end: LedgerEnd,
): NewRow<'ledger'>[] {
  let previous = end.hash
  return events.map(({ kind, data }, index) => {
    const seq = end.seq + index + 1
    const hash = digest(ledgerText({ orderId, seq, at, kind, data, previous }))
    const entry = { order_id: orderId, seq, at, kind, data, previous, hash }
    previous = hash
    return entry
  })
}

/** Returns the text that an entry's hash covers. */
export function ledgerText(entry: LedgerEvent & { orderId: number; seq: number; at: Date; previous: string }): string {
  const data = Object.fromEntries(Object.entries(entry.data).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify([entry.previous, entry.orderId, entry.seq, entry.at.toISOString(), entry.kind, data])
}

/** Returns an order's chain from its first entry. */
export function findLedger(db: Db, orderId: number): Promise<Row<'ledger'>[]> {
  return db.selectFrom('ledger').selectAll().where('order_id', '=', orderId).orderBy('seq').execute()
}

/** Returns the number of the first entry that does not match the one before, or null. */
export function brokenLedgerEntry(entries: readonly Row<'ledger'>[], digest: (text: string) => string): number | null {
  let previous = ''
  for (const [index, { order_id, seq, at, kind, ...row }] of entries.entries()) {
    const data = row.data as LedgerEvent['data']
    const text = ledgerText({ orderId: order_id, seq, at, kind, data, previous })
    if (seq !== index + 1 || row.previous !== previous || row.hash !== digest(text)) return seq
    previous = row.hash
  }
  return null
}
