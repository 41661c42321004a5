import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobsCommand } from '#cli/operations/jobs.ts'
import { capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let port: number
let server: Server | undefined
const open = new Set<Socket>()
beforeAll(async () => {
  port = await freePort()
  shop = await aShop({ settings: { mail: { smtpUrl: `smtp://127.0.0.1:${port}` } } })
})
afterAll(async () => {
  await shop.close()
  for (const socket of open) socket.destroy()
  server?.close()
})

/** A mail server that takes everything. @returns the ids of what it took */
async function mailServer(): Promise<string[]> {
  const taken: string[] = []
  server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    let [inMessage, rest] = [false, '']
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      rest += bytes.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        const [, id] = /^Message-ID: <(.+)@/i.exec(line) ?? []
        if (inMessage && id) taken.push(id)
        if (inMessage && line !== '.') continue
        if (line === 'DATA') socket.write('354 go on\r\n')
        else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 fine\r\n')
        inMessage = line === 'DATA'
      }
    })
  })
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  return taken
}

type Waiting = { key: string | null; task: string; attempts: number; seconds: number }

/** What has failed and waits, with the time until it is tried again. */
const waiting = () =>
  shop.db.sql<Waiting[]>`
    select job.key, task.identifier as task, job.attempts::int as attempts,
      extract(epoch from job.run_at - job.updated_at)::float8 as seconds
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.locked_at is null and job.last_error is not null and job.attempts < job.max_attempts order by job.id`

/** The time until the next try passes for everything that waits. */
async function timePasses(): Promise<void> {
  await shop.db
    .sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts < max_attempts`
  await shop.db.sql`select pg_notify('jobs:insert', '{"r":1,"count":4}')`
}

async function paidOrder(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
  expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'paid', status: 'processing' })
  expect(await capturesFor(shop, orderId)).toHaveLength(1)
  return orderId
}

describe('jobs that fail', () => {
  it('F31 at S13 P7 I13 a mail server that is away for a day stops no purchase, and gets each message once', async () => {
    const first = await paidOrder('morning')
    let hours = 0
    for (let tries = 1; hours < 24; ) {
      const jobs = await until(`both messages have failed ${tries} times`, async () => {
        const rows = await waiting()
        return rows.length === 2 && rows.every(({ attempts }) => attempts >= tries) && rows
      })
      const pause = Math.min(...jobs.map(({ seconds }) => seconds))
      // Ever less often, and never so seldom that a server that is back waits for half a day.
      expect(pause).toBeGreaterThan(Math.min(hours * 900, 3_600))
      expect(pause).toBeLessThan(8 * 3600)
      hours += pause / 3600
      tries = Math.max(...jobs.map(({ attempts }) => attempts)) + 1
      if (hours < 24) await timePasses()
    }
    const last = await paidOrder('evening')
    expect(await shop.db.sql`select 1 from sent_mail where sent_at is not null`).toHaveLength(0)

    const taken = await mailServer()
    await timePasses()
    const sent = () => shop.db.sql`select 1 from sent_mail where sent_at is not null`
    await until('all four are put down as sent', async () => {
      const done = (await sent()).length === 4
      if (!done) await timePasses()
      return done
    })
    const messages = [first, last].flatMap((id) => [`order-${id}-customer_processing_order`, `order-${id}-new_order`])
    expect(taken.toSorted()).toEqual(messages.toSorted())
    await until('nothing waits', async () => (await waiting()).length === 0)
    expect(await invariants(shop)).toEqual([])
  })

  it('F30 P7 a job that can never be done is tried ever less often and given up, while others go on', async () => {
    const [poison] = await shop.db.sql<{ id: string }[]>`
      select id::text as id from graphile_worker.add_job('order-mail', '{"messageId": 7}'::json)`
    const id = poison?.id ?? ''
    const attempt = async () => {
      const [row] = await shop.db.sql<Waiting[]>`
        select attempts::int as attempts, extract(epoch from run_at - updated_at)::float8 as seconds
        from graphile_worker._private_jobs where id = ${id} and locked_at is null and last_error is not null`
      return row
    }
    let before = 0
    for (const tries of [1, 2, 3, 4]) {
      const failed = await until(`it has failed ${tries} times`, async () => {
        const row = await attempt()
        return row && row.attempts >= tries && row.seconds > before && row
      })
      before = failed.seconds
      await timePasses()
    }
    const order = await paidOrder('meanwhile')
    await until('the messages of an order leave all the same', async () => {
      const rows = await shop.db.sql`select sent_at from sent_mail where order_id = ${order} and sent_at is not null`
      return rows.length === 2
    })

    await shop.db.sql`update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()
      where id = ${id} and locked_at is null`
    const listed = async () => (await runCommand(jobsCommand, shop.db, 'list', '--json')).out
    await until('it is given up', async () => {
      await timePasses()
      return (await listed()).includes(`"id":"${id}"`)
    })
    await timePasses()
    expect(JSON.parse(await listed())).toMatchObject([{ id, task: 'order-mail', nextAt: null }])
    expect(await runCommand(jobsCommand, shop.db, 'drop', id, '--yes')).toMatchObject({ code: 0 })
    expect(await listed()).toBe('[]')
  })
})
