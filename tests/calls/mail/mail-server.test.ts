import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let port: number
let server: Server | undefined
const open = new Set<Socket>()
beforeAll(async () => {
  port = await freePort()
  // Nobody listens there.
  shop = await aShop({ wallet: false, settings: { mail: { smtpUrl: 'smtp://127.0.0.1:1' } } })
})
afterAll(async () => {
  await shop?.close()
  for (const socket of open) socket.destroy()
  server?.close()
})

/** A mail server that takes everything, or refuses every recipient at one address. @returns what it took */
function mailServer({ refuses = '' } = {}): Promise<string[]> {
  const taken: string[] = []
  server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    let message: string | null = null
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.on('data', (bytes) => {
      rest += bytes.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (message !== null && line !== '.') message += `${line}\n`
        else if (message !== null) {
          taken.push(message)
          message = null
          say('250 taken')
        } else if (line === 'DATA') {
          message = ''
          say('354 go on')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else say(refuses !== '' && line.startsWith('RCPT') && line.includes(refuses) ? '550 unknown' : '250 fine')
      }
    })
  })
  return new Promise((resolve) => server?.listen(port, '127.0.0.1', () => resolve(taken)))
}

async function ordered(name: string): Promise<number> {
  const shopper = new Shopper(shop as never, name)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const { order_id, messages } = await shopper.placeOrder('cod')
  if (!order_id) throw new Error(messages)
  return order_id
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it did not happen that ${what}`)
}

const failedOnce = (orderId: number) => async () => {
  const jobs = await shop.db.sql`select attempts from graphile_worker.jobs
    where key like ${`order-${orderId}-%`} and last_error is not null`
  return jobs.length > 0
}

/** What waits to be tried again is due at once. */
const hurry = () => shop.db.sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`

describe('a mail server', () => {
  it('F31 that is down stops no sale, and gets each message once when it is back, or another was named', async () => {
    const smtpUrl = `smtp://127.0.0.1:${port}`
    const id = await ordered('ada')
    await until('sending has failed', failedOnce(id))
    expect(await shop.db.sql`select sent_at from sent_mail where order_id = ${id}`).toEqual([
      { sent_at: null },
      { sent_at: null },
    ])
    const taken = await mailServer({ refuses: 'bo@' })
    await writeSettings(shop.db, { mail: { smtpUrl } })
    await until('the shop knows its new server', () => shop.shop.application.tools.settings.mail.smtpUrl === smtpUrl)
    await hurry()
    await until('both messages have left', () => taken.length >= 2)
    await until('both are put down', async () => {
      const rows = await shop.db.sql`select sent_at from sent_mail where order_id = ${id} and sent_at is not null`
      return rows.length === 2
    })
    const ids = taken.map((message) => /^Message-ID: <(.+)@/m.exec(message)?.[1])
    expect(ids.toSorted()).toEqual([`order-${id}-customer_processing_order`, `order-${id}-new_order`])

    // An address that is refused keeps the shop's own message from nobody.
    const other = await ordered('bo')
    await until('the customer was refused', failedOnce(other))
    await until('the shop got its message', () => taken.length >= 3)
    expect(taken[2]).toContain(`order-${other}-new_order`)
    expect(taken).toHaveLength(3)
  })
})
