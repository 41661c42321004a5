import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueue } from '#shop/shared/jobs.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
const open = new Set<Socket>()
/** Takes connections and never says a word. */
const server = createServer((socket) => {
  open.add(socket)
  socket.on('error', () => {})
})
beforeAll(async () => {
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  shop = await aShop({ wallet: false, settings: { mail: { smtpUrl: `smtp://127.0.0.1:${port}` } } })
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  server.close()
  await shop?.close()
})

const jobs = () =>
  shop.db.sql<{ task: string; held: boolean }[]>`
    select task.identifier as task, job.locked_at is not null as held
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier in ('account-mail', 'give-back') order by job.priority, job.run_at, job.id`

it('F31 P7 a mail server that says nothing holds up neither what moves money nor the end of the shop', async () => {
  for (let nr = 0; nr < 6; nr += 1)
    await enqueue(
      shop.db.kysely,
      'account-mail',
      { kind: 'open-account', email: `a${nr}@example.test` },
      { key: `a${nr}` },
    )
  await until('messages have every worker', async () => (await jobs()).filter(({ held }) => held).length === 4)
  await enqueue(shop.db.kysely, 'give-back', { orderId: 1 }, { key: 'give-back' })
  // It is the next one, before messages that have waited for longer.
  expect((await jobs()).find(({ held }) => !held)?.task).toBe('give-back')

  const began = performance.now()
  await shop.shop.stop()
  expect(performance.now() - began).toBeLessThan(8_000)
  // Nothing is lost: the next process sends what this one could not.
  expect((await jobs()).filter(({ task }) => task === 'account-mail').map(({ held }) => held)).toEqual(
    Array.from({ length: 6 }, () => false),
  )
}, 30_000)
