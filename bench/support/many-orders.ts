import type { Database } from '#database/engine/connect.ts'

/**
 * Fills a shop with orders as years of sales leave them: one line and one parcel each, paid by the wallet nine times in ten, a
 * coupon in every tenth, two customers with an account in three, all of them settled. Spread over four years that end yesterday.
 * Keys to other tables are not checked while it writes, and the chain of the ledger is none.
 */
export async function fillOrders({ sql }: Database, count: number): Promise<void> {
  await sql`insert into coupons (code, type, amount_minor) values ('years', 'fixed_cart', 100) on conflict do nothing`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local synchronous_commit = off`
    await tx`create temp table old on commit drop as
      select 1_000_000 + n as id, n, now() - interval '1 day' - (${count}::int - n) * (interval '4 years' / ${count}) as at,
        n % 10 <> 0 as by_wallet, md5('order' || n) as mark, p.id as product_id, p.name
      from generate_series(1, ${count}::int) n
      join (select row_number() over (order by id) - 1 as at, count(*) over () as of, id, name from products
        where type = 'simple') p on p.at = n % p.of`
    await tx`insert into customers (id, email, username, created_at, updated_at)
      select 1_000_000 + n, 'c' || n || '@example.test', 'c' || n, now(), now()
      from generate_series(0, ${Math.ceil(count / 4) - 1}::int) n`
    await tx`insert into orders (id, key, status, payment_state, session_id, intention, cart_hash, currency, prices_include_tax,
        total, billing, shipping, payment_method, payment_method_title, transaction_id, created_at, updated_at, paid_at,
        stock_reduced, customer_id, base_currency, base_total, exchange_rate)
      select id, 'wc_order_' || left(mark, 22), 'completed', case when by_wallet then 'paid' else 'none' end, md5(mark) || mark,
        'i', '', 'USD', false, 1977,
        jsonb_build_object('email', 'c' || (n % ${Math.ceil(count / 4)}) || '@example.test', 'first_name', 'Ada', 'country', 'US'),
        '{}', case when by_wallet then 'ppcp' else 'cod' end, '', case when by_wallet then 'C' || n end, at, at, at, true,
        case when n % 3 <> 0 then 1_000_000 + n % ${Math.ceil(count / 4)} end, 'USD', 1977, '1'
      from old`
    await tx`insert into order_items (order_id, position, type, name, product_id, quantity, total, facts)
      select id, 0, 'line_item', name, product_id, 1, 1287, jsonb_build_object('stockOwner', product_id) from old`
    await tx`insert into order_items (order_id, position, type, name, quantity, total)
      select id, 1, 'shipping', 'Standard', 1, 690 from old`
    await tx`insert into wallet_orders (id, order_id, revision, session_id, environment, amount, currency, state, created_at)
      select 'W' || n, id, 1, mark, 'sandbox', 1977, 'USD', 'COMPLETED', at from old where by_wallet`
    for (const step of ['create', 'capture']) {
      await tx`insert into payment_attempts
          (order_id, step, revision, request_id, wallet_order_id, amount, currency, body_hash, state, instance, opened_at, closed_at)
        select id, ${step}, 1, ${step} || n, 'W' || n, 1977, 'USD', '', 'succeeded', 1, at, at from old where by_wallet`
    }
    await tx`insert into captures (id, order_id, wallet_order_id, status, amount, currency, environment, captured_at)
      select 'C' || n, id, 'W' || n, 'COMPLETED', 1977, 'USD', 'sandbox', at from old where by_wallet`
    for (const [seq, kind] of ['placed', 'capture-started', 'capture-recorded', 'paid'].entries()) {
      await tx`insert into ledger (order_id, seq, at, kind, data, previous, hash)
        select id, ${seq + 1}, at, ${kind}, '{}', mark, mark from old`
    }
    await tx`insert into stock_movements (product_id, change, kind, order_id, at) select product_id, -1, 'sold', id, at from old`
    for (const kind of ['new_order', 'customer_processing_order']) {
      await tx`insert into sent_mail (message_id, order_id, kind, recipient, sent_at)
        select ${kind} || n, id, ${kind}, 'somebody', at from old`
    }
    await tx`insert into order_notes (order_id, at, note) select id, at, 'Paid.' from old`
    await tx`insert into webhook_events (id, type, body, received_at, processed_at)
      select 'WH' || n, 'PAYMENT.CAPTURE.COMPLETED', '{}', at, at from old where by_wallet`
    await tx`insert into coupon_uses (order_id, coupon_id, used_by)
      select o.id, c.id, 'c' || n || '@example.test' from old o, coupons c where c.code = 'years' and n % 10 = 1`
  })
  await sql`analyze`
}
