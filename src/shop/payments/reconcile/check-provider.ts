import type { WalletOrder } from '#contract/paypal/order.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import { isDenied } from '#domain/payments/money-status.ts'
import { fromAmount } from '#paypal/amounts.ts'
import type { BrokenInvariant, InvariantTools } from '../../operations/doctor/check-invariants.ts'

const usualLookUps = 1000
const batch = 200
/** Concurrent calls to PayPal: the check must not delay shoppers. */
const concurrency = 4

/**
 * Compares PayPal's captures, refunds and authorizations of our wallet orders with the shop's, in both directions.
 * Wallet orders that cannot be read now are counted and left out.
 */
export async function checkProvider(tools: InvariantTools): Promise<BrokenInvariant[]> {
  const { paypal, newest = usualLookUps } = tools
  if (!paypal) return []
  const found: BrokenInvariant[] = []
  let unread = 0
  for (let done = 0; newest === 'all' || done < newest; ) {
    const wallets = await nextWallets(tools, done, newest === 'all' ? batch : Math.min(batch, newest - done))
    if (wallets.length === 0) break
    done += wallets.length
    const queue = wallets.values()
    const work = async () => {
      for (const wallet of queue) {
        const read = await paypal.getOrder(wallet.id)
        if (read.ok) found.push(...compared(wallet, read.value, await ourBooks(tools, wallet)))
        else if (!(read.kind === 'refused' && read.status === 404)) unread += 1
        // An expired wallet order is gone by design, unless it was paid.
        else if (await paidBy(tools, wallet)) unread += 1
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  tools.unread?.(unread)
  return found
}

type Wallet = Pick<Row<'wallet_orders'>, 'id' | 'order_id' | 'amount' | 'currency'>

function nextWallets({ db }: InvariantTools, after: number, count: number): Promise<Wallet[]> {
  return db.kysely
    .selectFrom('wallet_orders')
    .select(['id', 'order_id', 'amount', 'currency'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(after)
    .limit(count)
    .execute()
}

async function paidBy({ db }: InvariantTools, { id }: Wallet): Promise<boolean> {
  const capture = await db.kysely
    .selectFrom('captures')
    .select('id')
    .where('wallet_order_id', '=', id)
    .executeTakeFirst()
  return capture !== undefined
}

/** Reads the shop's records after PayPal's: a payment recorded right now is found, or its attempt is. */
async function ourBooks({ db: { kysely } }: InvariantTools, { order_id: id }: Wallet) {
  const [order, captures, refunds, authorizations, ledger, open] = await Promise.all([
    kysely.selectFrom('orders').select('payment_state').where('id', '=', id).executeTakeFirst(),
    kysely.selectFrom('captures').selectAll().where('order_id', '=', id).execute(),
    kysely.selectFrom('refunds').selectAll().where('order_id', '=', id).execute(),
    kysely.selectFrom('authorizations').selectAll().where('order_id', '=', id).execute(),
    kysely.selectFrom('ledger').select('data').where('order_id', '=', id).execute(),
    kysely
      .selectFrom('payment_attempts')
      .select('id')
      .where('order_id', '=', id)
      .where('state', 'in', ['open', 'unknown'])
      .execute(),
  ])
  return { captures, refunds, authorizations, ledger, underWay: open.length > 0 || order?.payment_state === 'review' }
}

type OurBooks = Awaited<ReturnType<typeof ourBooks>>

const taken: readonly string[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'REVERSED']

/** Returns the stage of a capture; its refunds are compared one by one. */
function stageOf(status: string): 'pending' | 'denied' | 'taken' {
  if (status === 'PENDING') return 'pending'
  return isDenied({ status }) ? 'denied' : 'taken'
}

function compared(wallet: Wallet, theirs: WalletOrder, ours: OurBooks): BrokenInvariant[] {
  const found: BrokenInvariant[] = []
  const broken = (invariant: BrokenInvariant['invariant'], what: string) =>
    found.push({ invariant, orderId: wallet.order_id, what })
  const units = theirs.purchase_units ?? []
  const captures = units.flatMap(({ payments }) => payments?.captures ?? [])

  for (const capture of captures) {
    const known = ours.captures.find(({ id }) => id === capture.id)
    if (known && !ours.underWay && stageOf(known.status) !== stageOf(capture.status)) {
      broken('I2', `the provider has the capture ${capture.id} as ${capture.status}, the shop as ${known.status}`)
    }
  }
  for (const capture of captures.filter(({ status }) => taken.includes(status))) {
    const known = ours.captures.find(({ id }) => id === capture.id)
    const amount = fromAmount(capture.amount)
    if (!known) {
      const isTold = ours.ledger.some(({ data }) => data.capture === capture.id)
      if (!isTold && !ours.underWay) broken('I2', `the provider has a capture ${capture.id} that the shop lacks`)
    } else if (known.amount !== amount?.minor || known.currency !== amount.currency) {
      broken('I3', `the provider's amount of the capture ${capture.id} is another one`)
    }
    if (known && capture.custom_id && capture.custom_id !== String(wallet.order_id)) {
      broken('I3', `the provider has the capture ${capture.id} under the order ${capture.custom_id}`)
    }
  }
  for (const known of ours.captures.filter(({ wallet_order_id: id }) => id === wallet.id)) {
    if (taken.some((status) => status === known.status) && !captures.some(({ id }) => id === known.id)) {
      broken('I3', `the provider does not show the capture ${known.id}`)
    }
  }

  const refunds = units.flatMap(({ payments }) => payments?.refunds ?? [])
  for (const refund of refunds.filter(({ status }) => status === 'COMPLETED')) {
    const known = ours.refunds.find(({ provider_id: id }) => id === refund.id)
    const amount = refund.amount && fromAmount(refund.amount)
    if (!known) {
      if (!ours.underWay) broken('I1', `the provider has made a refund ${refund.id} that the shop lacks`)
    } else if (known.amount !== amount?.minor || known.currency !== amount.currency) {
      broken('I1', `the provider's amount of the refund ${refund.id} is another one`)
    }
  }
  const captureIds = captures.map(({ id }) => id)
  for (const known of ours.refunds) {
    const here =
      known.state === 'done' && known.provider_id && known.capture_id && captureIds.includes(known.capture_id)
    if (here && !refunds.some(({ id }) => id === known.provider_id)) {
      broken('I1', `the provider does not show the refund ${known.provider_id}`)
    }
  }

  for (const held of units.flatMap(({ payments }) => payments?.authorizations ?? [])) {
    const known = ours.authorizations.find(({ id }) => id === held.id)
    const amount = fromAmount(held.amount)
    if (!known) {
      if (!ours.underWay && held.status === 'CREATED') {
        broken('I2', `the provider holds money (${held.id}) that the shop does not know of`)
      }
    } else if (known.amount !== amount?.minor || known.currency !== amount.currency) {
      broken('I3', `the provider holds another amount under ${held.id}`)
    }
  }
  return found
}
