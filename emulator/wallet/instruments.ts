import { hundredths } from '../orders/amounts.ts'
import type { Order } from '../orders/order.ts'
import type { Buyer } from './buyers.ts'
import type { Visit } from './visit.ts'

export type Instrument = { id: string; text: string; preferred: boolean }

const BALANCE = { id: 'balance', text: 'PayPal balance' }
const BANK_CARD = { id: 'card', text: 'Visa ··4242' }
const LATER = { id: 'paylater', text: 'Pay Later · 4 payments without interest' }
const LATER_CURRENCIES = ['USD', 'GBP', 'EUR', 'AUD', 'CAD']
/** What may be paid in four parts, in hundredths. */
const LEAST_LATER = 3_000n
const MOST_LATER = 150_000n

/** What this buyer may pay with, the usual one first. Without an order something is kept instead of paid. */
export function instrumentsFor(buyer: Buyer, visit: Visit, order: Order | undefined): Instrument[] {
  const ways = waysOf(buyer, visit, order)
  const wanted = ways.find(({ id }) => id === visit.fundingSource) ?? ways[0]
  return ways.map((way) => ({ ...way, preferred: way === wanted }))
}

function waysOf(buyer: Buyer, { card, fundingSource }: Visit, order: Order | undefined) {
  if (card) return [{ id: 'card', text: `${card.brand} ··${card.lastDigits}` }]
  if (fundingSource === 'venmo') return [{ id: 'balance', text: 'Venmo balance' }, BANK_CARD]
  if (buyer.funds === 'echeck' && !order?.experience.immediatePaymentRequired) {
    return [{ id: 'bank', text: 'eCheck from bank account ··3141' }]
  }
  if (buyer.funds === 'declined-once' && order?.declines === 0) return [{ id: 'card', text: 'Visa ··0002' }]
  return order && maySplit(order) ? [BALANCE, BANK_CARD, LATER] : [BALANCE, BANK_CARD]
}

/** Nothing that is charged later again may be paid in parts. */
function maySplit({ units, source }: Order): boolean {
  const amount = units[0]?.amount
  if (!amount || !LATER_CURRENCIES.includes(amount.currency_code) || 'keeping' in source) return false
  return hundredths(amount) >= LEAST_LATER && hundredths(amount) <= MOST_LATER
}
