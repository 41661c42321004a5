import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemLog } from '#server/operations/startup/environment.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ada: Customer
let id: number
let lines: { level: string; facts: Record<string, unknown>; message: string }[] = []
beforeAll(async () => {
  const line = (level: string) => (facts: Record<string, unknown>, message: string) => {
    lines.push({ level, facts, message })
  }
  const log = { ...systemLog('silent'), info: line('info'), warn: line('warn'), error: line('error') }
  shop = await aShop({ environment: { log } })
  await aCustomer(shop, 'ada@example.test').register()
  const [row] = await shop.db.sql`select id from customers where email = 'ada@example.test'`
  id = Number(row?.id)
})
afterAll(() => shop?.close())
beforeEach(async () => {
  ada = aCustomer(shop, 'ada@example.test')
  lines = []
  await shop.db.sql`delete from rate_limits`
})

const ofLogins = () => lines.filter(({ facts }) => facts.by === 'password')

describe('the log of logins', () => {
  it('T13 says who logged in, by number', async () => {
    await ada.logIn()
    expect(ofLogins()).toMatchObject([{ level: 'info', facts: { customerId: id }, message: 'login succeeded' }])
  })

  it('T13 says whose login was refused, and had to wait, and never what was typed', async () => {
    await ada.logIn({ password: 'a wrong one 4711' })
    await ada.logIn({ username: 'my-secret-typed-as-a-name' })
    expect(ofLogins()).toMatchObject([
      { level: 'info', facts: { customerId: id }, message: 'login failed' },
      { level: 'info', facts: { customerId: null }, message: 'login failed' },
    ])
    for (let tries = 0; tries < 10; tries += 1) await ada.logIn({ password: 'a wrong one 4711' })
    expect(ofLogins().at(-1)).toMatchObject({
      level: 'warn',
      facts: { customerId: id },
      message: 'login rate limited',
    })
    expect(JSON.stringify(lines)).not.toMatch(/ada@|4711|typed-as-a-name/)
  })
})
