/** The statuses of history: an order of another shop is never unpaid here, since it cannot be paid here. */
export const historyStatuses = ['on-hold', 'processing', 'completed', 'cancelled', 'refunded'] as const
export type HistoryStatus = (typeof historyStatuses)[number]

/** Statuses of the classic shop and of Shopify that mean one of ours. */
const equals: Readonly<Record<string, HistoryStatus>> = {
  'on-hold': 'on-hold',
  processing: 'processing',
  completed: 'completed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  refunded: 'refunded',
}
const unpaid: ReadonlySet<string> = new Set([
  'pending',
  'pending-payment',
  'failed',
  'checkout-draft',
  'draft',
  'auto-draft',
  'trash',
])

/**
 * Returns the status of an imported order. An unpaid one counts as cancelled, one of a status that only the other shop has as
 * completed.
 * @returns `stated`: the word of the file where the status is another one, else ''
 */
export function historyStatus(words: {
  readonly status: string
  readonly financial: string
  readonly fulfillment: string
  readonly isCancelled: boolean
}): { readonly status: HistoryStatus; readonly stated: string } {
  const { financial, fulfillment, isCancelled } = words
  if (financial !== '') return { status: shopifyStatus(financial, fulfillment, isCancelled), stated: '' }
  const word = words.status
    .toLowerCase()
    .replace(/^wc-/, '')
    .trim()
    .replace(/[\s_]+/g, '-')
  const status = equals[word]
  if (status) return { status, stated: '' }
  return { status: unpaid.has(word) ? 'cancelled' : 'completed', stated: words.status.slice(0, 100) }
}

function shopifyStatus(financial: string, fulfillment: string, isCancelled: boolean): HistoryStatus {
  const money = financial.toLowerCase()
  if (money === 'refunded') return 'refunded'
  if (isCancelled || money === 'voided' || money === 'expired') return 'cancelled'
  if (fulfillment.toLowerCase() === 'fulfilled') return 'completed'
  return money === 'pending' || money === 'authorized' ? 'on-hold' : 'processing'
}
