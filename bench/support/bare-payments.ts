import { createVerify, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { sql, type Transaction } from 'kysely'
import { connect } from '#database/engine/connect.ts'
import { insertRows } from '#database/engine/insert-rows.ts'
import { pipelinedTransaction } from '#database/engine/pipeline.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { freePort } from '#server/payments/demo-emulator.ts'
import serverProcess from '../../scripts/server-process.json' with { type: 'json' }
import { type BenchShop, emulatorClient, startEmulator, webhookId } from './bench-shop.ts'
import { ended, started } from './child-servers.ts'
import { leanClient } from './lean-client.ts'

export type BarePayments = AsyncDisposable & Pick<BenchShop, 'url' | 'emulatorUrl' | 'pids'>

/** What each order consists of, as the shop has written it, and the pieces that are sold of it. */
const tables = [
  'orders',
  'order_items',
  'ledger',
  'payment_attempts',
  'wallet_orders',
  'captures',
  'sent_mail',
] as const

type Sample = Readonly<Record<(typeof tables)[number], Readonly<Record<string, unknown>>>>
type Given = {
  readonly databaseUrl: string
  readonly emulatorUrl: string
  readonly port: number
  readonly sample: Sample
  readonly products: readonly number[]
  /** What the shop has sent to open the wallet order, as JSON. */
  readonly opening: string
}

/**
 * The least that has to be done for an order by wallet: the same calls to the provider, the same rows written down before and
 * after each of them in four transactions of two round trips, notifications verified and kept. No visitor, no cart, no form, no
 * rule, no check of what the provider says, no message, no log: what is left is what `node:http`, the driver and PostgreSQL cost.
 * @param shop in whose database it writes, where one order was paid by wallet already
 */
export async function barePayments(shop: BenchShop, products: readonly number[]): Promise<BarePayments> {
  const port = await freePort(4500)
  const emulatorPort = await freePort(port + 1000)
  const url = `http://127.0.0.1:${port}`
  const emulatorUrl = `http://127.0.0.1:${emulatorPort}`
  const emulator = await startEmulator({ port: emulatorPort, webhookUrl: `${url}/webhook`, seed: 'bare' })
  const given: Given = {
    databaseUrl: shop.databaseUrl,
    emulatorUrl,
    port,
    sample: Object.fromEntries(await Promise.all(tables.map(async (it) => [it, await anyRow(shop, it)]))) as Sample,
    products,
    opening: await whatWasSent(shop),
  }
  const server = await started(
    [...serverProcess.flags, import.meta.filename, JSON.stringify(given)],
    { ...serverProcess.env, NODE_ENV: 'production' },
    /open/,
  )
  return {
    url,
    emulatorUrl,
    pids: { shop: server.child.pid ?? 0, emulator: emulator.child.pid ?? 0, postgres: shop.pids.postgres },
    async [Symbol.asyncDispose]() {
      await ended(server.child)
      await ended(emulator.child)
    },
  }
}

/** One row without what the database counts or works out by itself. */
async function anyRow({ db }: BenchShop, table: string): Promise<Record<string, unknown>> {
  const [row] = await db.sql<
    { row: Record<string, unknown> }[]
  >`select to_jsonb(t) as row from ${db.sql(table)} t limit 1`
  const given = await db.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and is_generated = 'NEVER' and identity_generation is distinct from 'ALWAYS'`
  if (!row) throw new Error(`nothing was written to ${table}`)
  return Object.fromEntries(given.map(({ name }) => [name, row.row[name]]))
}

async function whatWasSent({ emulatorUrl }: BenchShop): Promise<string> {
  const answer = await fetch(`${emulatorUrl}/__emulator/log`)
  const calls = (await answer.json()) as readonly { operation: string; request?: object }[]
  const opening = calls.find(({ operation }) => operation === 'orders.create')?.request
  if (!opening) throw new Error('no wallet order was opened')
  return JSON.stringify(opening)
}

async function serve({ databaseUrl, emulatorUrl, port, sample, products, opening }: Given): Promise<void> {
  const db = connect(databaseUrl)
  const client = leanClient()
  const certificates = new Map<string, Promise<X509Certificate>>()
  const ordersByWallet = new Map<string, number>()
  let nextId = 50_000_000
  const token = await accessToken(emulatorUrl)

  async function call(method: 'GET' | 'POST', path: string, body?: string, requestId = ''): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, prefer: 'return=representation' }
    const sent = { ...headers, 'content-type': 'application/json', 'paypal-request-id': requestId }
    const answer = await client.ask(new URL(emulatorUrl + path), body ? { method, headers: sent, body } : { headers })
    return JSON.parse(answer.body)
  }

  const inOne = (work: (tx: Transaction<Schema>) => readonly Promise<unknown>[]) =>
    pipelinedTransaction(db, (tx) => Promise.all(work(tx)))
  /** Rows like those of the sample, but for what is told. */
  const put = (tx: Transaction<Schema>, table: (typeof tables)[number], ...rows: readonly object[]) =>
    insertRows(tx, table, rows.map((row) => ({ ...sample[table], ...row })) as never)

  async function open(): Promise<string> {
    const id = nextId++
    const now = new Date()
    const called = `bare-create-${id}`
    await inOne((tx) => [
      put(tx, 'orders', {
        id,
        key: `bare-${id}`,
        intention: `bare-${id}`,
        status: 'pending',
        payment_state: 'pending',
      }),
      put(tx, 'order_items', { order_id: id }),
      put(tx, 'ledger', { order_id: id, seq: 1, at: now }),
      sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
        values (${id}, ${products[id % products.length]}, 1, now() + interval '1 hour')`.execute(tx),
      put(tx, 'payment_attempts', { order_id: id, request_id: called, step: 'create' }),
    ])
    const body = opening.replace(/"invoice_id":"[^"]*"/, `"invoice_id":"bare-${id}"`)
    const wallet = (await call('POST', '/v2/checkout/orders', body, called)) as { id: string }
    await inOne((tx) => [
      put(tx, 'wallet_orders', { id: wallet.id, order_id: id, created_at: now }),
      sql`update payment_attempts set state = 'succeeded', wallet_order_id = ${wallet.id}, closed_at = ${now}
        where request_id = ${called}`.execute(tx),
      put(tx, 'ledger', { order_id: id, seq: 2, at: now }),
    ])
    ordersByWallet.set(wallet.id, id)
    return JSON.stringify(wallet.id)
  }

  async function take(wallet: string): Promise<string> {
    const id = ordersByWallet.get(wallet) ?? 0
    const now = new Date()
    const called = `bare-capture-${id}`
    await inOne((tx) => [
      put(tx, 'payment_attempts', { order_id: id, request_id: called, step: 'capture', wallet_order_id: wallet }),
      sql`update orders set payment_state = 'authorising', updated_at = ${now} where id = ${id}`.execute(tx),
      put(tx, 'ledger', { order_id: id, seq: 3, at: now }),
    ])
    await call('GET', `/v2/checkout/orders/${wallet}`)
    const taken = (await call('POST', `/v2/checkout/orders/${wallet}/capture`, '{}', called)) as {
      purchase_units: { payments: { captures: { id: string }[] } }[]
    }
    const captureId = taken.purchase_units[0]?.payments.captures[0]?.id
    await inOne((tx) => [
      put(tx, 'captures', { id: captureId, order_id: id, wallet_order_id: wallet }),
      sql`update payment_attempts set state = 'succeeded', closed_at = ${now} where request_id = ${called}`.execute(tx),
      sql`update wallet_orders set state = 'COMPLETED' where id = ${wallet}`.execute(tx),
      sql`delete from stock_reservations where order_id = ${id}`.execute(tx),
      sql`update products set stock_quantity = stock_quantity - 1 where id = ${products[id % products.length]}`.execute(
        tx,
      ),
      sql`update orders set status = 'processing', payment_state = 'paid', paid_at = ${now} where id = ${id}`.execute(
        tx,
      ),
      put(tx, 'ledger', { order_id: id, seq: 4, at: now }, { order_id: id, seq: 5, at: now }),
      insertRows(tx, 'order_notes', [{ order_id: id, at: now, note: 'Paid by PayPal', for_customer: false }]),
      put(
        tx,
        'sent_mail',
        { message_id: `bare-${id}-1`, order_id: id, kind: 'new-order', sent_at: now },
        { message_id: `bare-${id}-2`, order_id: id, kind: 'order-processing', sent_at: now },
      ),
    ])
    return JSON.stringify({ result: 'success', redirect: '/checkout/order-received/' })
  }

  async function keep({ headers }: IncomingMessage, body: Buffer): Promise<void> {
    const said = (name: string) => String(headers[`paypal-${name}`])
    const url = said('cert-url')
    const certificate = certificates.get(url) ?? fetch(url).then(async (it) => new X509Certificate(await it.text()))
    certificates.set(url, certificate)
    const signed = [said('transmission-id'), said('transmission-time'), webhookId, crc32(body)].join('|')
    const { publicKey } = await certificate
    if (!createVerify('RSA-SHA256').update(signed).verify(publicKey, said('transmission-sig'), 'base64')) {
      throw new Error('a notification is not genuine')
    }
    const { id, event_type: type } = JSON.parse(body.toString())
    await db.sql`insert into webhook_events (id, type, transmission_id, body, received_at, processed_at, outcome)
      values (${id}, ${type}, ${said('transmission-id')}, ${body.toString()}, now(), now(), 'paid')`
  }

  async function answer(request: IncomingMessage, body: Buffer): Promise<string> {
    if (request.url === '/webhook') return keep(request, body).then(() => '')
    const { ppcp_paypal_order_id: wallet } = JSON.parse(body.toString())
    return request.url?.endsWith('cart/order') ? open() : take(wallet)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      answer(request, Buffer.concat(chunks)).then(
        (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
        (error: unknown) => {
          console.error(error)
          response.writeHead(500).end(JSON.stringify(String(error)))
        },
      )
    })
  })
  server.listen(port, '127.0.0.1', () => console.log('open'))
  process.once('SIGINT', () => process.exit(0))
}

async function accessToken(emulatorUrl: string): Promise<string> {
  const basic = Buffer.from(`${emulatorClient.id}:${emulatorClient.secret}`).toString('base64')
  const answer = await fetch(`${emulatorUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}'))
