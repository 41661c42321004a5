import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Database } from '#database/engine/connect.ts'
import { checkInvariants, questions } from '#shop/operations/doctor/check-invariants.ts'
import type { World } from '../../emulator/world/world.ts'
import type { Tally } from './tally.ts'

export type Witness = {
  readonly db: Database
  readonly world: World
  readonly tally: Tally
  readonly now: () => Date
  /** What a shopper has agreed to for a wallet order, in the wallet or on our own page, in minor units. */
  readonly approved: ReadonlyMap<string, ReadonlySet<number>>
  /** Wallet orders whose card's bank does not know its holder. */
  readonly strangers: ReadonlySet<string>
  /** Orders whose confirmation somebody has read. */
  readonly confirmed: ReadonlySet<number>
  readonly wishes: ReadonlyMap<number, readonly { key: string; minor: number | null }[]>
  /** Messages that left the shop: how often each id, by recipient and subject. */
  readonly posted: ReadonlyMap<string, ReadonlySet<string>>
  /** Wallet orders whose money came otherwise than it was asked for. */
  readonly strange: ReadonlySet<string>
}

const settleMs = 15 * 60_000
const taken = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

/**
 * After every step: whatever must be true at any moment, of the provider's books and of the shop's tables.
 * @param news the tables that may have changed since: a promise about others is kept as it was
 */
export async function checkStep(witness: Witness, news: ReadonlySet<string> | 'any'): Promise<void> {
  checkProvidersBooks(witness)
  const asked = promises.filter(({ tables }) => news === 'any' || tables.some((table) => news.has(table)))
  if (asked.length === 0) return
  const now = witness.now()
  const settled = new Date(now.getTime() - settleMs)
  // One statement for each set of promises, so that the server plans it once.
  const { text, parameters } = askedAtOnce(asked)
  const rows = await witness.db.sql.unsafe<Broken[]>(
    text,
    parameters.map((value) => (value === someTime.now ? now : value === someTime.settled ? settled : value)) as never[],
    { prepare: true },
  )
  for (const { invariant, what, order_id, detail } of rows) {
    witness.tally.violated(invariant, order_id, detail ? `${what}: ${detail}` : what)
  }
}

type Broken = { invariant: string; what: string; order_id: number | null; detail: string | null }

/** Stand in the parameters for the times of the step. */
const someTime = { now: new Date(1), settled: new Date(0) }
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Each promise about the tables, with those that it reads. */
const promises = questions(someTime.now, someTime.settled).map((question) => {
  const [, , query] = question
  const named = [...query.compile(compiler).sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)/g)]
  return { question, tables: [...new Set(named.map(([, table = '']) => table))] }
})

const compiled = new Map<string, { text: string; parameters: readonly unknown[] }>()

function askedAtOnce(asked: typeof promises): { text: string; parameters: readonly unknown[] } {
  const key = asked.map((promise) => promises.indexOf(promise)).join()
  const known = compiled.get(key)
  if (known) return known
  const parts = asked.map(
    ({ question: [invariant, what, query] }) =>
      sql`select ${sql.lit(invariant)} as invariant, ${sql.lit(what)} as what, q.order_id::bigint as order_id, q.detail::text as detail from (${query}) q`,
  )
  const { sql: text, parameters } = sql`${sql.join(parts, sql` union all `)}`.compile(compiler)
  const question = { text, parameters }
  compiled.set(key, question)
  return question
}

/** Money as the provider has it, which no mistake of the shop's can hide. */
function checkProvidersBooks({ world, tally, approved, strangers, strange }: Witness): void {
  const byOrder = new Map<string, number>()
  for (const capture of world.captures.values()) {
    if (!taken.includes(capture.status)) continue
    const count = (byOrder.get(capture.customId ?? '') ?? 0) + 1
    byOrder.set(capture.customId ?? '', count)
    const orderId = Number(capture.customId)
    if (count > 1) tally.violated('P1', orderId, 'the provider has taken money twice for one order')
    const shown = approved.get(capture.orderId)
    if (shown && !shown.has(Number(capture.size)) && !strange.has(capture.orderId)) {
      tally.violated('P5', orderId, `${capture.size} was taken, and what was agreed to is ${[...shown].join(', ')}`)
    }
    if (strangers.has(capture.orderId))
      tally.violated('P3', orderId, 'a card was charged whose bank does not know its holder')
    if (capture.refunded > capture.size) tally.violated('I1', orderId, 'more went back than was taken')
  }
}

/** At the end, when nothing is under way any more: the books of both sides agree to the cent. */
export async function checkEnd(
  witness: Witness,
  paypal: Parameters<typeof checkInvariants>[0]['paypal'],
): Promise<void> {
  const { db, world, tally, confirmed, posted, strange } = witness
  const oddly = new Set([...strange].map((id) => Number(world.orders.get(id)?.units[0]?.custom_id)))
  for (const { invariant, orderId, what } of await checkInvariants({
    db,
    clock: { now: witness.now, sleep: async () => {} },
    paypal,
    newest: 'all',
  })) {
    tally.violated(invariant, orderId, what)
  }
  const orders = await db.sql<
    { id: number; total: number; status: string; payment_state: string; email: string; paid_at: Date | null }[]
  >`
    select id, total, status, payment_state, paid_at, coalesce(billing ->> 'email', '') as email from orders`
  const byId = new Map(orders.map((order) => [order.id, order]))
  for (const order of orders) tally.count(`order: ${order.payment_state}`)
  for (const capture of world.captures.values()) {
    if (!taken.includes(capture.status)) continue
    const id = Number(capture.customId)
    const order = byId.get(id)
    if (strange.has(capture.orderId) && order && order.payment_state !== 'attention') {
      tally.violated(
        'I3',
        id,
        `the provider took something else than was asked for, and the order is ${order.payment_state}`,
      )
    }
    if (!order) tally.violated('I2', id, 'the provider has money for an order that is not there')
    else if (!['paid', 'partly-refunded', 'refunded', 'attention'].includes(order.payment_state)) {
      tally.violated('P2', id, `the provider has its money, and the order is ${order.payment_state}`)
    } else if (order.payment_state !== 'attention' && Number(capture.size) !== order.total) {
      tally.violated('P5', id, `${capture.size} was taken for an order of ${order.total}`)
    }
  }
  const captured = new Set(
    [...world.captures.values()].filter(({ status }) => taken.includes(status)).map(({ customId }) => Number(customId)),
  )
  for (const { id, payment_state: state, total } of orders) {
    if (['paid', 'partly-refunded', 'refunded'].includes(state) && total > 0 && !captured.has(id)) {
      tally.violated('P3', id, `the order is ${state}, and the provider has taken nothing`)
    }
    if (['authorising', 'review', 'captured'].includes(state)) tally.violated('I12', id, `the order is still ${state}`)
  }
  for (const id of confirmed) {
    const order = byId.get(id)
    if (order && order.total > 0 && !captured.has(id))
      tally.violated('P3', id, 'it was confirmed and nothing was taken')
  }
  checkRefunds(witness)
  // By the address too: a customer keeps one session for many purchases, and comes from another place for each.
  const twice = await db.sql<{ ids: number[] }[]>`
    select array_agg(order_id) as ids from captures c join orders o on o.id = c.order_id
    where c.status in ('COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED') and o.payment_state <> 'attention'
    group by o.session_id, o.customer_ip having count(*) > 1`
  for (const { ids } of twice) tally.violated('P1', ids[0] ?? null, `one shopper has paid twice: ${ids.join(', ')}`)
  // Nobody here does what a person would have to look at.
  for (const { id, attention } of await db.sql<{ id: number; attention: string }[]>`
    select id, attention from orders where payment_state = 'attention'`) {
    if (!oddly.has(id)) tally.violated('P4', id, `it needs attention: ${attention}`)
  }
  const takenUpAgain = await db.sql<{ id: number }[]>`
    select distinct order_id as id from sent_mail where kind ~ '(cancelled|failed)_order$'`
  for (const [about, ids] of posted) {
    const id = Number(about.split(' ')[0])
    // Each refund is told by a message of its own.
    if (ids.size > 1 && !about.includes('refund') && !takenUpAgain.some((order) => order.id === id)) {
      tally.violated('I13', id, `${about}: sent under ${ids.size} ids`)
    }
  }
  for (const { id, paid_at, email } of orders) {
    const told = [...posted.keys()].some((about) => about.startsWith(`${id} ${email} `))
    if (paid_at !== null && email !== '' && !told) tally.violated('I13', id, 'its buyer was not written to')
  }
}

/** Money goes back once for each wish, and never more than was wished for. */
function checkRefunds({ world, tally, wishes }: Witness): void {
  const byOrder = Map.groupBy(
    [...world.refunds.values()].filter(({ status }) => status === 'COMPLETED'),
    ({ captureId }) => Number(world.captures.get(captureId)?.customId),
  )
  for (const [orderId, refunds] of byOrder) {
    const wished = wishes.get(orderId) ?? []
    if (refunds.length > wished.length) {
      tally.violated('F38', orderId, `${refunds.length} refunds for ${wished.length} wishes`)
    }
    for (const minor of new Set(wished.flatMap((wish) => wish.minor ?? []))) {
      const made = refunds.filter(({ size }) => Number(size) === minor).length
      const asked = wished.filter((wish) => wish.minor === minor || wish.minor === null).length
      if (made > asked) tally.violated('F38', orderId, `${minor} went back ${made} times`)
    }
  }
}
