import { beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#database/engine/connect.ts'
import { afterCommit } from '#database/engine/pipeline.ts'
import { findMail, insertMail, type MailRow, recordMailOutcomes } from '#database/mail/messages.ts'
import { enqueueAbandonedMail, onPendingMail } from '#database/mail/outbox.ts'
import { jobFigures } from '#database/operations/operation-figures.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createMailOutbox } from './mail-outbox.ts'
import type { MailFailure } from './order-mail.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
let nowMs = Date.UTC(2026, 10, 25)
let sleptMs = 0
const clock = {
  now: () => new Date(nowMs),
  sleep: async (ms: number) => {
    sleptMs += ms
  },
}
const chance = { fraction: () => 0 }

/** Inserts emails without an order; no foreign key prevents that. */
async function putDown({ sql }: TestDatabase, ids: readonly string[], orderId: number | null = null): Promise<void> {
  if (orderId !== null) {
    await sql`insert into orders ${sql({
      id: orderId,
      key: `k${orderId}`,
      status: 'processing',
      payment_state: 'none',
      session_id: 's',
      intention: `i${orderId}`,
      cart_hash: 'h',
      currency: 'USD',
      prices_include_tax: false,
      billing: {},
      shipping: {},
      payment_method: 'cod',
      payment_method_title: '',
      customer_ip: '',
      customer_user_agent: '',
      created_via: 'checkout',
      created_at: clock.now(),
      updated_at: clock.now(),
      discount_total: 0,
      discount_tax: 0,
      shipping_total: 0,
      shipping_tax: 0,
      cart_tax: 0,
      total_tax: 0,
      total: 0,
      language: '',
      customer_note: '',
    })} on conflict do nothing`
  }
  for (const id of ids) {
    await sql`insert into sent_mail (message_id, order_id, kind, recipient, waits_since) values (${id}, ${orderId}, 'new_order', '', now())`
  }
}

const names = (rows: readonly MailRow[]) => rows.map(({ message_id }) => message_id)
const queued = async ({ sql }: TestDatabase) =>
  (await sql<{ key: string }[]>`select key from graphile_worker._private_jobs order by key`).map(({ key }) => key)

/** Creates an outbox that records what it would send, and closes it. */
function anOutbox(
  db: TestDatabase,
  {
    fails = () => false,
    before = async () => {},
    isBusy = () => false,
  }: { fails?: (id: string) => boolean; before?: () => Promise<void>; isBusy?: () => boolean } = {},
) {
  const sent: string[][] = []
  const outbox = createMailOutbox(
    { tools: { db, clock, log: silent } as never },
    async (rows): Promise<MailFailure[]> => {
      await before()
      const failed = names(rows).filter(fails)
      const done = names(rows).filter((id) => !fails(id))
      sent.push(done)
      await recordMailOutcomes(
        db.kysely,
        done.map((messageId) => ({ messageId, end: { recipient: 'x', sent_at: clock.now() } })),
      )
      return failed.map((messageId) => ({ messageId, error: new Error('no') }))
    },
    isBusy,
  )
  return { ...outbox, sent }
}

beforeEach(() => {
  nowMs = Date.UTC(2026, 10, 25)
})

describe('messages that wait', () => {
  it('are taken by one of two processes that look at once, those of an order together', async () => {
    await using db = await aDatabase({ max: 8 })
    for (let order = 1; order <= 30; order += 1) await putDown(db, [`${order}-a`, `${order}-b`, `${order}-c`], order)
    const [one, other] = [anOutbox(db), anOutbox(db)]
    await Promise.all([one.work(), other.work()])
    const sent = [...one.sent, ...other.sent]
    expect(sent.flat()).toHaveLength(90)
    expect(new Set(sent.flat()).size).toBe(90)
    for (const ids of sent) expect(new Set(ids.map((id) => id.split('-')[0])).size).toBe(1)
    expect(sent.filter((ids) => ids.length === 2).length).toBeGreaterThan(20)
    expect(sent.every((ids) => ids.length <= 2)).toBe(true)
    expect(await findMail(db.kysely, '7-a')).toMatchObject({ recipient: 'x', waits_since: null, taken_at: null })
  })

  it('P7 wait for visitors who are being served, and no longer than a quarter of a second', async () => {
    await using db = await aDatabase()
    await putDown(db, ['one'])
    sleptMs = 0
    let looks = 0
    const soonOver = anOutbox(db, { isBusy: () => ++looks <= 3 })
    await soonOver.work()
    expect([sleptMs, soonOver.sent]).toEqual([75, [['one']]])
    await putDown(db, ['two'])
    sleptMs = 0
    const never = anOutbox(db, { isBusy: () => true })
    await never.work()
    expect([sleptMs, never.sent]).toEqual([250, [['two']]])
  })

  it('P7 are left to the queue when they cannot be sent, and the others of the order are not', async () => {
    await using db = await aDatabase()
    await putDown(db, ['good', 'bad'])
    const outbox = anOutbox(db, { fails: (id) => id === 'bad' })
    await outbox.work()
    expect(outbox.sent).toEqual([['good']])
    expect(await queued(db)).toEqual(['bad'])
    expect(await findMail(db.kysely, 'bad')).toMatchObject({ sent_at: null, waits_since: null, taken_at: null })
    await outbox.work()
    expect(outbox.sent).toHaveLength(1)
  })

  it('P7 I13 are left to the queue when whoever took them has died', async () => {
    await using db = await aDatabase()
    await putDown(db, ['lost'])
    // Never resolves, like a process that has died.
    void anOutbox(db, { before: () => new Promise(() => {}) }).work()
    await expect.poll(() => findMail(db.kysely, 'lost')).toMatchObject({ waits_since: null, taken_at: clock.now() })
    const minutesAgo = (minutes: number) => new Date(nowMs - minutes * 60_000)
    await enqueueAbandonedMail(db, minutesAgo(5))
    expect(await queued(db)).toEqual([])
    nowMs += 6 * 60_000
    await enqueueAbandonedMail(db, minutesAgo(5))
    await enqueueAbandonedMail(db, minutesAgo(5))
    expect(await queued(db)).toEqual(['lost'])
  })

  it('P7 are not begun when they lie here for so long that others may believe them lost', async () => {
    await using db = await aDatabase()
    for (let order = 1; order <= 6; order += 1) await putDown(db, [`m${order}`], order)
    const outbox = anOutbox(db, {
      before: async () => {
        nowMs += 4 * 60_000
      },
    })
    await outbox.work()
    expect(outbox.sent.flat()).toEqual(['m1'])
  })

  it('are put back by a process that stops, for another one', async () => {
    await using db = await aDatabase()
    for (let order = 1; order <= 9; order += 1) await putDown(db, [`m${order}`], order)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = 0
    const stopping = anOutbox(db, {
      before: () => {
        begun += 1
        return held
      },
    })
    const working = stopping.work()
    await expect.poll(() => begun).toBe(4)
    const stopped = stopping.stop()
    release()
    await Promise.all([working, stopped])
    expect(stopping.sent.flat()).toEqual(['m1', 'm2', 'm3', 'm4'])
    const other = anOutbox(db)
    await other.work()
    expect(other.sent.flat().sort()).toEqual(['m5', 'm6', 'm7', 'm8', 'm9'])
  })

  it('wake the outbox of their process when their transaction has committed, and only then', async () => {
    await using db = await aDatabase()
    await putDown(db, [], 5)
    let woken = 0
    onPendingMail(db, () => {
      woken += 1
    })
    const order: string[] = []
    const tools = { db, clock, chance } as never
    await transaction(tools, async (tx) => {
      afterCommit(tx, () => order.push('told'))
      await insertMail(tx, 5, [{ kind: 'new_order' }, { kind: 'customer_processing_order' }], 'never')
      await insertMail(tx, 5, [{ kind: 'customer_note', about: 1 }], 'never')
      order.push('done')
      expect(woken).toBe(0)
    })
    expect([woken, order]).toEqual([1, ['done', 'told']])
    const fails = transaction(tools, async (tx) => {
      await insertMail(tx, 5, [{ kind: 'customer_note', about: 2 }], 'never')
      throw new Error('no')
    })
    await expect(fails).rejects.toThrow('no')
    expect(woken).toBe(1)
    const outbox = anOutbox(db)
    await outbox.work()
    expect(outbox.sent.flat().sort()).toEqual([
      'order-5-customer_note-1',
      'order-5-customer_processing_order',
      'order-5-new_order',
    ])
  })

  it('are counted with the jobs that wait, as old as the oldest of them', async () => {
    await using db = await aDatabase()
    await putDown(db, ['first', 'second'])
    await db.sql`update sent_mail set waits_since = now() - interval '9 minutes' where message_id = 'first'`
    await db.sql`select graphile_worker.add_job('order-mail', '{}'::json)`
    const figures = (await jobFigures(db)).find(({ task }) => task === 'order-mail')
    expect(figures).toMatchObject({ waiting: 3, failed: 0 })
    expect(figures?.oldestSeconds).toBeGreaterThan(539)
    expect(figures?.oldestSeconds).toBeLessThan(600)
  })
})
