import { sql } from 'kysely'
import type { Clock } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { brokenLedgerEntry } from '#database/orders/ledger.ts'
import { transitionMailKinds } from '#domain/orders/order-mails.ts'
import type { PayPal } from '#paypal/client.ts'
import { checkProvider } from '../../payments/reconcile/check-provider.ts'
import { sha256 } from '../../shared/digest.ts'

/** An invariant that the shop's tables, or the provider's data, violate. */
export type BrokenInvariant = {
  invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I11' | 'I12' | 'I13'
  /** Null if it does not concern one order. */
  orderId: number | null
  what: string
}

export type InvariantTools = {
  readonly db: Database
  readonly clock: Clock
  /** Null: no comparison with the provider. */
  readonly paypal: Pick<PayPal, 'getOrder' | 'getCapture'> | null
  /** Wallet orders to compare with the provider: this number of the newest, or all. A thousand by default. */
  readonly newest?: number | 'all'
  /** Called once with the number of unreadable ones. */
  readonly unread?: (count: number) => void
}

const settleMs = 15 * 60_000

/**
 * Checks all invariants of orders, money and stock in the tables, and returns violations. Changes nothing. Works at
 * rest and under load: each check is one statement on one snapshot.
 */
export async function checkInvariants(tools: InvariantTools): Promise<BrokenInvariant[]> {
  const now = tools.clock.now()
  const settled = new Date(now.getTime() - settleMs)
  const found: BrokenInvariant[] = []
  for (const [invariant, what, question] of questions(now, settled)) {
    const { rows } = await question.execute(tools.db.kysely)
    for (const { order_id, detail } of rows) {
      found.push({ invariant, orderId: order_id, what: detail ? `${what}: ${detail}` : what })
    }
  }
  return [...found, ...(await checkLedgers(tools)), ...(await checkProvider(tools))]
}

type Finding = { order_id: number | null; detail: string | null }
type Question = [BrokenInvariant['invariant'], string, ReturnType<typeof sql<Finding>>]

// A reversed payment counts until it is settled: its order is in manual review meanwhile.
const kept = sql.raw(`('COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'REVERSED') and not stray`)
const paid = sql.raw(`('paid', 'partly-refunded', 'refunded', 'disputed')`)
/** The merchant has recorded a payment outside of the provider. */
const paidByHand = sql.raw(`exists (select from ledger l where l.order_id = o.id and l.kind = 'paid-by-hand')`)

/** Every payment, duplicates included, was completely refunded. */
const allGone = sql.raw(`(o.payment_state = 'refunded' and not exists (
  select from captures g where g.order_id = o.id and g.status in ('COMPLETED', 'PARTIALLY_REFUNDED') and not g.stray))`)

/** Returns each invariant of the tables, with the statement that finds violations. */
export function questions(now: Date, settled: Date): Question[] {
  return [
    [
      'I1',
      'more than one capture succeeded',
      sql<Finding>`select order_id, count(*)::text as detail from captures where status in ${kept}
        group by order_id having count(*) > 1`,
    ],
    [
      'I1',
      'captured amounts exceed the order total',
      sql<Finding>`select o.id as order_id, c.sum || ' of ' || o.total as detail from orders o
        join (select order_id, sum(amount) from captures where status in ${kept} group by order_id) c on c.order_id = o.id
        where c.sum > o.total and o.payment_state <> 'attention'`,
    ],
    [
      'I1',
      'refunds exceed the paid amount',
      sql<Finding>`select o.id as order_id, r.sum || ' of ' || o.total as detail from orders o
        join (select order_id, sum(amount) from refunds where state <> 'refused' and not stray group by order_id) r
          on r.order_id = o.id
        where r.sum > greatest(o.total, (select sum(amount) from captures c where c.order_id = o.id and c.status in ${kept}))`,
    ],
    [
      'I1',
      'refunds by the provider exceed its captures',
      sql<Finding>`select c.order_id, c.id as detail from captures c
        join (select capture_id, sum(amount) from refunds where state <> 'refused' group by capture_id) r
          on r.capture_id = c.id
        where r.sum > c.amount`,
    ],
    [
      'I1',
      'payment state does not match the refunds',
      sql<Finding>`select o.id as order_id, o.payment_state || ', ' || coalesce(r.sum, 0) || ' given back' as detail
        from orders o
        left join (select order_id, sum(amount) from refunds where state = 'done' and not stray group by order_id) r
          on r.order_id = o.id
        left join (select order_id, sum(amount) from captures where status in ${kept} group by order_id) c
          on c.order_id = o.id
        where o.total > 0 and o.payment_state in ('paid', 'partly-refunded', 'refunded')
          and o.payment_state <> case when coalesce(r.sum, 0) = 0 then 'paid'
            when r.sum < case when ${paidByHand} then o.total else coalesce(c.sum, o.total) end then 'partly-refunded'
            else 'refunded' end`,
    ],
    [
      'I1',
      'duplicate payment without manual review',
      sql<Finding>`select o.id as order_id, c.id || ': ' || o.payment_state as detail from orders o
        join captures c on c.order_id = o.id and c.stray and c.status in ('COMPLETED', 'PARTIALLY_REFUNDED', 'PENDING')
        where o.payment_state <> 'attention'`,
    ],
    [
      'I1',
      'counts a capture that the provider reversed',
      sql<Finding>`select o.id as order_id, c.id || ': ' || o.payment_state as detail from orders o
        join captures c on c.order_id = o.id and c.status = 'REVERSED' and not c.stray
        where o.payment_state not in ('attention', 'refunded')`,
    ],
    [
      'I2',
      'captured payment of an order that is neither paid nor in manual review',
      sql<Finding>`select o.id as order_id, o.status || ', ' || o.payment_state as detail from orders o
        join captures c on c.order_id = o.id and c.status in ${kept}
        where o.payment_state not in ${paid} and o.payment_state <> 'attention'`,
    ],
    [
      'I2',
      'open authorization that the order does not count',
      sql<Finding>`select o.id as order_id, a.id || ': ' || o.status || ', ' || o.payment_state as detail from orders o
        join authorizations a on a.order_id = o.id and a.status = 'CREATED'
        where o.payment_state not in ('authorised', 'review', 'attention')`,
    ],
    [
      'I3',
      'counts an authorization that does not exist',
      sql<Finding>`select o.id as order_id, null as detail from orders o
        where o.payment_state = 'authorised' and not exists (
          select from authorizations a where a.order_id = o.id and a.status = 'CREATED' and a.amount = o.total
            and a.currency = o.currency)`,
    ],
    [
      'I3',
      'paid without a capture of the same amount, currency and environment',
      sql<Finding>`select o.id as order_id, null as detail from orders o
        where o.payment_state in ${paid} and o.total > 0 and not ${paidByHand} and not exists (
          select from captures c join wallet_orders w on w.id = c.wallet_order_id
          where c.order_id = o.id and w.order_id = o.id and c.status in ${kept} and c.environment = w.environment
            and (c.amount = o.total and c.currency = o.currency or ${allGone}))`,
    ],
    [
      'I4',
      'negative stock',
      sql<Finding>`select null::bigint as order_id, 'product ' || id as detail from products
        where manage_stock = 'yes' and backorders = 'no' and stock_quantity < 0`,
    ],
    [
      'I4',
      'stock movements do not add up to the stock on hand',
      sql<Finding>`select null::bigint as order_id, 'product ' || p.id || ': ' || p.stock_quantity || ' on hand, '
          || sum(m.change) || ' by movements' as detail
        from products p join stock_movements m on m.product_id = p.id
        where p.manage_stock = 'yes' group by p.id having sum(m.change) <> p.stock_quantity`,
    ],
    [
      'I4',
      'stock movements differ from the line items',
      sql<Finding>`select o.id as order_id, 'product ' || coalesce(wanted.product_id, moved.product_id) as detail
        from orders o
        cross join lateral (
          select (facts ->> 'stockOwner')::bigint as product_id, sum(quantity - restocked) as pieces from order_items i
          cross join lateral (select coalesce(sum(r.restocked), 0) as restocked from refund_items r
            where r.item_id = i.id) back
          where order_id = o.id and o.stock_reduced and type = 'line_item' and facts ->> 'stockOwner' is not null
          group by 1 having sum(quantity - restocked) <> 0) wanted
        full join (
          select order_id, product_id, -sum(change) as pieces from stock_movements where order_id is not null
          group by order_id, product_id having sum(change) <> 0) moved
          on moved.order_id = o.id and moved.product_id = wanted.product_id
        where wanted.pieces is distinct from moved.pieces
          and exists (select from products where id = coalesce(wanted.product_id, moved.product_id) and manage_stock = 'yes')`,
    ],
    [
      'I4',
      'more items of a line restocked than sold',
      sql<Finding>`select i.order_id, i.name as detail from order_items i
        join (select item_id, sum(restocked) as restocked, sum(quantity) as quantity from refund_items ri
          join refunds r on r.id = ri.refund_id and r.state <> 'refused' group by item_id) back on back.item_id = i.id
        where back.restocked > i.quantity or back.quantity > i.quantity`,
    ],
    [
      'I4',
      'finished order still has stock reservations',
      sql<Finding>`select o.id as order_id, o.status as detail from orders o
        where o.status not in ('pending', 'failed') and exists (
          select from stock_reservations r where r.order_id = o.id and r.expires_at > ${now})`,
    ],
    [
      'I4',
      'reservations exceed the stock',
      sql<Finding>`select null::bigint as order_id, 'product ' || p.id as detail from products p
        join stock_reservations r on r.product_id = p.id and r.expires_at > ${now}
        where p.manage_stock = 'yes' and p.backorders = 'no' group by p.id having sum(r.quantity) > p.stock_quantity`,
    ],
    [
      'I5',
      'coupon usage count differs from its recorded uses',
      sql<Finding>`select null::bigint as order_id, 'coupon ' || c.code as detail from coupons c
        where c.used < (select count(*) from coupon_uses u where u.coupon_id = c.id)
          or (c.usage_limit is not null and c.used > c.usage_limit)`,
    ],
    [
      'I5',
      'customer exceeded the usage limit of a coupon',
      sql<Finding>`select null::bigint as order_id, 'coupon ' || c.code as detail from coupons c
        join coupon_uses u on u.coupon_id = c.id and u.used_by <> ''
        where (c.settings ->> 'usageLimitPerUser')::int > 0
        group by c.id, u.used_by having count(*) > (c.settings ->> 'usageLimitPerUser')::int`,
    ],
    [
      'I5',
      'cancelled or failed order still counts coupon uses',
      sql<Finding>`select distinct o.id as order_id, o.status as detail from orders o
        join coupon_uses u on u.order_id = o.id where o.status in ('cancelled', 'failed')`,
    ],
    [
      'I6',
      'items do not add up to the total',
      sql<Finding>`select o.id as order_id, i.sum || ' is not ' || o.total as detail from orders o
        join (select order_id, sum(total + total_tax) from order_items where type in ('line_item', 'shipping', 'fee')
          group by order_id) i on i.order_id = o.id
        where i.sum <> o.total`,
    ],
    [
      'I6',
      "value in the shop's currency is unknown",
      sql<Finding>`select o.id as order_id, o.currency || ' at ' || coalesce(o.exchange_rate, 'no rate') as detail
        from orders o
        where num_nonnulls(o.exchange_rate, o.base_currency, o.base_total) not in (0, 3)
          or o.base_currency = o.currency or (o.exchange_rate is not null and o.exchange_rate !~ '[1-9]')`,
    ],
    [
      'I6',
      'request amount differs from the payment attempt',
      sql<Finding>`select c.order_id, c.id as detail from captures c join wallet_orders w on w.id = c.wallet_order_id
        join orders o on o.id = c.order_id
        where c.status in ${kept} and (c.amount <> w.amount or c.currency <> w.currency)
          and o.payment_state <> 'attention' and not ${allGone}`,
    ],
    [
      'I6',
      'line items of a refund do not add up to its amount',
      sql<Finding>`select r.order_id, 'refund ' || r.id as detail from refunds r
        join (select refund_id, sum(total + total_tax) from refund_items group by refund_id) i on i.refund_id = r.id
        where i.sum not in (0, r.amount)`,
    ],
    [
      'I7',
      'charged amount differs from the last one shown in the wallet',
      sql<Finding>`select c.order_id, c.id || ': ' || c.amount || ' is not ' || shown.amount as detail from captures c
        join orders o on o.id = c.order_id
        cross join lateral (select (l.data ->> 'amount')::bigint as amount from ledger l
          where l.order_id = c.order_id and l.kind in ('wallet-order', 'wallet-order-amended')
            and l.data ->> 'walletOrder' = c.wallet_order_id order by l.seq desc limit 1) shown
        where c.status in ${kept} and c.amount <> shown.amount and o.payment_state <> 'attention'
          and not ${allGone}`,
    ],
    [
      'I8',
      'more than one capture attempt succeeded',
      sql<Finding>`select order_id, count(*)::text as detail from payment_attempts
        where step in ('capture', 'pay') and state = 'succeeded'
          and (step = 'capture' or result ->> 'capture' is not null) group by order_id having count(*) > 1`,
    ],
    [
      'I9',
      'webhook event processed as paid, but its capture is unknown',
      sql<Finding>`select null::bigint as order_id, e.id as detail from webhook_events e
        -- An erased event of an anonymized order proves nothing.
        cross join lateral (select nullif(e.body, '')::jsonb -> 'resource' ->> 'id' as capture) told
        where e.type = 'PAYMENT.CAPTURE.COMPLETED' and e.outcome = 'paid' and e.body <> ''
          and not exists (select from captures c where c.id = told.capture)
          and not exists (select from ledger l where l.data ->> 'capture' = told.capture)`,
    ],
    [
      'I11',
      "ledger does not explain the order's state",
      sql<Finding>`select o.id as order_id, o.payment_state as detail from orders o
        where (o.payment_state in ${paid} and o.total > 0 and not ${paidByHand} and not ${allGone} and not exists (
            select from ledger l where l.order_id = o.id and l.kind = 'capture-recorded'
              and l.data ->> 'capture' = o.transaction_id and (l.data ->> 'amount')::bigint = o.total))
          or o.status <> (select coalesce(l.data ->> 'status', case l.kind when 'cancelled' then 'cancelled' else 'pending' end)
            from ledger l where l.order_id = o.id and (l.kind in ('placed', 'placed-again', 'cancelled')
              or l.data ->> 'status' in ('pending', 'on-hold', 'processing', 'completed', 'cancelled', 'refunded', 'failed'))
            order by l.seq desc limit 1)
          or o.total <> (select (l.data ->> 'total')::bigint from ledger l
            where l.order_id = o.id and l.kind in ('placed', 'placed-again', 'method-chosen')
            order by l.seq desc limit 1)`,
    ],
    [
      'I11',
      'imported order has a ledger, an email, stock, coupon uses or downloads',
      sql<Finding>`select o.id as order_id, o.imported_from || ' ' || o.imported_number as detail from orders o
        where o.imported_from is not null and (
          exists (select from ledger l where l.order_id = o.id)
          or exists (select from sent_mail m where m.order_id = o.id)
          or exists (select from wallet_orders w where w.order_id = o.id)
          or exists (select from stock_reservations r where r.order_id = o.id)
          or exists (select from coupon_uses u where u.order_id = o.id)
          or exists (select from download_permissions d where d.order_id = o.id))`,
    ],
    [
      'I11',
      'ledger and refunds differ',
      sql<Finding>`select o.id as order_id, null as detail from orders o
        where o.imported_from is null
          and (select coalesce(sum(amount), 0) from refunds r where r.order_id = o.id and r.state = 'done')
          <> (select coalesce(sum((l.data ->> 'amount')::bigint), 0) from ledger l
            where l.order_id = o.id and l.kind = 'refund')`,
    ],
    [
      'I12',
      'pending refund without an open attempt',
      sql<Finding>`select r.order_id, 'refund ' || r.id as detail from refunds r
        where r.state = 'open' and not exists (
          select from payment_attempts a where a.id = r.attempt_id and a.state in ('open', 'unknown'))`,
    ],
    [
      'I12',
      'payment in progress without an open attempt',
      sql<Finding>`select o.id as order_id, o.payment_state as detail from orders o
        where o.payment_state = 'authorising' and not exists (
          select from payment_attempts a where a.order_id = o.id and a.step in ('capture', 'authorise', 'pay') and a.state in ('open', 'unknown'))`,
    ],
    [
      'I12',
      'payment attempt open for longer than 15 minutes',
      sql<Finding>`select distinct a.order_id, a.step as detail from payment_attempts a join orders o on o.id = a.order_id
        where a.step in ('capture', 'authorise', 'pay', 'void', 'refund') and a.state in ('open', 'unknown')
          and o.updated_at < ${settled} and (a.step in ('capture', 'authorise', 'pay') or a.opened_at < ${settled})`,
    ],
    [
      'I12',
      'webhook event unprocessed for longer than three days',
      sql<Finding>`select null::bigint as order_id, id as detail from webhook_events
        where processed_at is null and received_at < ${now}::timestamptz - interval '3 days 1 hour'`,
    ],
    [
      'I13',
      'email of a paid order was not sent',
      sql<Finding>`select o.id as order_id, null as detail from orders o
        where o.paid_at < ${settled} and o.imported_from is null and coalesce(o.billing ->> 'email', '') <> '' and not exists (
          select from sent_mail m where m.order_id = o.id and coalesce(m.sent_at::text, m.skipped) is not null
            and m.kind in ('customer_processing_order', 'customer_completed_order'))`,
    ],
    [
      'I13',
      'email was sent under more than one id',
      // Repeated after each end: a cancelled or failed order may be reopened.
      sql<Finding>`select m.order_id, m.kind as detail from sent_mail m
        where m.kind = any(${[...transitionMailKinds]}::text[]) group by m.order_id, m.kind
        having count(*) > 1 + (select count(*) from sent_mail e where e.order_id = m.order_id
          and e.kind in ('cancelled_order', 'failed_order', 'customer_cancelled_order', 'customer_failed_order'))`,
    ],
  ]
}

const ledgersAtATime = 500

/** Checks every hash chain, some hundred orders at a time. */
async function checkLedgers({ db }: InvariantTools): Promise<BrokenInvariant[]> {
  const found: BrokenInvariant[] = []
  for (let after = 0; ; ) {
    const orders = await db.kysely
      .selectFrom('orders')
      .select(['id', 'imported_from'])
      .where('id', '>', after)
      // A draft has no ledger yet.
      .where('status', '<>', 'checkout-draft')
      .orderBy('id')
      .limit(ledgersAtATime)
      .execute()
    const last = orders.at(-1)
    if (!last) return found
    const entries = await db.kysely
      .selectFrom('ledger')
      .selectAll()
      .where('order_id', '>', after)
      .where('order_id', '<=', last.id)
      .orderBy('seq')
      .execute()
    const chains = Map.groupBy(entries, (entry) => entry.order_id)
    for (const { id, imported_from: importedFrom } of orders) {
      const seq = brokenLedgerEntry(chains.get(id) ?? [], sha256)
      if (seq !== null) found.push({ invariant: 'I11', orderId: id, what: `the ledger is broken at entry ${seq}` })
      if (!chains.has(id) && importedFrom === null)
        found.push({ invariant: 'I11', orderId: id, what: 'no ledger entries' })
    }
    after = last.id
  }
}
