import type { Transaction } from 'kysely'
import type { Schema } from './schema.ts'

type Tx = Transaction<Schema>

/** What happened to an order or its money, as the ledger keeps it. */
export type LedgerEvent = { kind: string; data: Record<string, string | number | boolean | null> }

/**
 * Appends events to an order's chain: each entry's hash covers the one before, so that a change of any is seen.
 * The order's row must be locked by this transaction, so that nobody else appends to the chain.
 */
export async function appendToLedger(
  tx: Tx,
  orderId: number,
  at: Date,
  events: readonly LedgerEvent[],
  digest: (text: string) => string,
): Promise<void> {
  if (events.length === 0) return
  const last = await tx
    .selectFrom('ledger')
    .select(['seq', 'hash'])
    .where('order_id', '=', orderId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  let previous = last?.hash ?? ''
  const entries = events.map((event, index) => {
    const seq = (last?.seq ?? 0) + index + 1
    const hash = digest(ledgerText({ orderId, seq, at, ...event, previous }))
    const entry = { order_id: orderId, seq, at, kind: event.kind, data: event.data, previous, hash }
    previous = hash
    return entry
  })
  await tx.insertInto('ledger').values(entries).execute()
}

/** The text that an entry's hash covers. */
export function ledgerText(entry: LedgerEvent & { orderId: number; seq: number; at: Date; previous: string }): string {
  const data = Object.fromEntries(Object.entries(entry.data).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify([entry.previous, entry.orderId, entry.seq, entry.at.toISOString(), entry.kind, data])
}

/** The first broken entry of an order's chain, or null. */
export async function brokenLedgerEntry(
  tx: Tx,
  orderId: number,
  digest: (text: string) => string,
): Promise<number | null> {
  const rows = await tx.selectFrom('ledger').selectAll().where('order_id', '=', orderId).orderBy('seq').execute()
  let previous = ''
  for (const [index, row] of rows.entries()) {
    const data = row.data as LedgerEvent['data']
    const text = ledgerText({ orderId, seq: row.seq, at: row.at, kind: row.kind, data, previous })
    if (row.seq !== index + 1 || row.previous !== previous || row.hash !== digest(text)) return row.seq
    previous = row.hash
  }
  return null
}
