import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailCommand } from '#cli/mail/mail.ts'
import { type MailKind, mailKinds } from '#contract/mail/settings.ts'
import { transaction } from '#database/engine/connect.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { addOrderNote, lockOrder } from '#database/orders/orders.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { openMailDesk } from '#server/mail/mail-desk.ts'
import { announceInvoice, announceNote, announceTransition } from '#shop/mail/mail-events.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { name: 'Fogline', email: 'desk@fogline.test' } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await set({})
})

const tools = () => shop.shop.application.tools

/** The shop with these settings of its messages, once it has heard of them. */
async function set(messages: Partial<Record<MailKind, object>>): Promise<void> {
  await writeSettings(shop.db, { mail: { from: 'shop@fogline.test', messages } })
  await until('the shop knows its settings', async () =>
    Object.entries(messages).every(([kind, wanted]) => {
      const now = tools().settings.mail.messages[kind as MailKind]
      return Object.entries(wanted).every(
        ([key, value]) => JSON.stringify(Reflect.get(now, key)) === JSON.stringify(value),
      )
    }),
  )
}

async function until<Result>(what: string, look: () => Promise<Result | false>): Promise<Result> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it did not happen that ${what}`)
}

async function ordered(sku = 'MUG', quantity = 1, name = 'ada'): Promise<number> {
  const shopper = new Shopper({ ...shop, url: shop.url } as never, name)
  await shopper.add(sku, quantity)
  await shopper.openCheckout()
  const { order_id, messages } = await shopper.placeOrder('cod')
  if (!order_id) throw new Error(messages)
  return order_id
}

/** The messages about an order, once each is sent or passed over. */
const mailsOf = (orderId: number, count: number) =>
  until(`${count} messages of order ${orderId} are done`, async () => {
    const rows = await shop.db.kysely
      .selectFrom('sent_mail')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('message_id')
      .execute()
    return rows.length >= count && rows.every(({ sent_at, skipped }) => sent_at || skipped) && rows
  })

const kindsOf = async (orderId: number, count: number) =>
  (await mailsOf(orderId, count)).map(({ message_id }) => message_id.replace(`order-${orderId}-`, ''))

async function written(messageId: string): Promise<string> {
  const text = await readFile(join(shop.dataDir, 'outbox', `${messageId}-127.0.0.1.eml`), 'utf8')
  return text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

const moved = async (orderId: number, to: OrderStatus) => {
  const result = await transitionOrder(tools(), orderId, { to })
  if (!result.ok) throw new Error(result.reason)
}

describe('the messages of an order', () => {
  it('tell the shop and the customer, each once, with the figures of the order', async () => {
    const id = await ordered('MUG', 2)
    expect(await kindsOf(id, 2)).toEqual(['customer_processing_order', 'new_order'])
    const [row] = await shop.db.sql`select total from orders where id = ${id}`
    const toShop = await written(`order-${id}-new_order`)
    expect(toShop).toContain('To: desk@fogline.test')
    expect(toShop).toContain('Reply-To: ada@example.test')
    expect(toShop).toContain(`Subject: [Fogline] New order ${id}`)
    expect(toShop).toContain('1 Main Street')
    const toCustomer = await written(`order-${id}-customer_processing_order`)
    expect(toCustomer).toContain('To: ada@example.test')
    expect(toCustomer).toContain('Hello Ada,')
    expect(toCustomer).toContain('Plain mug')
    expect(toCustomer).toContain('Shipping: Standard')
    expect(toCustomer).toContain(`$${(Number(row?.total) / 100).toFixed(2)}`)
    expect(toCustomer).toMatch(new RegExp(`${shop.url}/checkout/order-received/${id}/\\?key=wc_order_\\w+`))
  })

  it('tell of each later step, and of a second life once more', async () => {
    const id = await ordered()
    await moved(id, 'completed')
    await moved(id, 'processing')
    await moved(id, 'completed')
    expect(await kindsOf(id, 3)).toEqual(['customer_completed_order', 'customer_processing_order', 'new_order'])

    const other = await ordered()
    await moved(other, 'cancelled')
    await moved(other, 'processing')
    expect(await kindsOf(other, 6)).toEqual([
      'cancelled_order',
      'customer_cancelled_order',
      'customer_processing_order',
      'customer_processing_order-2',
      'new_order',
      'new_order-2',
    ])
    const broken = await checkInvariants({ ...tools(), paypal: null })
    expect(broken.filter(({ invariant }) => invariant === 'I13')).toEqual([])
  })

  it('leave with the transaction that causes them, or not at all', async () => {
    const id = await ordered()
    await mailsOf(id, 2)
    const fails = transaction(tools(), async (tx) => {
      await lockOrder(tx, id)
      await announceTransition(tx, { orderId: id, from: 'processing', to: 'completed' })
      throw new Error('the step failed')
    })
    await expect(fails).rejects.toThrow('the step failed')
    await moved(id, 'cancelled')
    expect(await kindsOf(id, 4)).not.toContain('customer_completed_order')
  })

  it('I13 leave once though many ask for the same at once, and though the job runs again', async () => {
    const id = await ordered()
    await mailsOf(id, 2)
    const announce = () =>
      transaction(tools(), async (tx) => {
        await lockOrder(tx, id)
        await announceTransition(tx, { orderId: id, from: 'processing', to: 'completed' })
      })
    await Promise.all([announce(), announce(), announce(), announce()])
    const rows = await mailsOf(id, 3)
    expect(rows).toHaveLength(3)
    await shop.db.sql`select graphile_worker.add_job('order-mail', json_build_object('messageId', message_id))
      from sent_mail where order_id = ${id}`
    const marker = await ordered()
    await mailsOf(marker, 2)
    const after = await mailsOf(id, 3)
    expect(after.map(({ sent_at }) => sent_at)).toEqual(rows.map(({ sent_at }) => sent_at))
  })

  it('bring notes, refunds and invoices, each for itself', async () => {
    const id = await ordered('MUG', 2)
    const note = 'It leaves <b>on Tuesday</b>.\nThe courier rings.'
    await transaction(tools(), async (tx) => {
      await lockOrder(tx, id)
      await addOrderNote(tx, id, note, tools().clock.now(), true)
      const [row] = await tx.selectFrom('order_notes').select('id').where('note', '=', note).execute()
      await announceNote(tx, { orderId: id, noteId: row?.id ?? 0 })
    })
    for (let times = 0; times < 2; times += 1) {
      await transaction(tools(), async (tx) => {
        await lockOrder(tx, id)
        await announceInvoice(tx, id)
      })
    }
    const kinds = await kindsOf(id, 5)
    expect(kinds).toHaveLength(5)
    expect(kinds).toContain('customer_invoice')
    expect(kinds).toContain('customer_invoice-1')
    const noted = kinds.find((kind) => kind.startsWith('customer_note-'))
    const mail = await written(`order-${id}-${noted}`)
    expect(mail).toContain('> It leaves <b>on Tuesday</b>.')
    expect(mail).toContain('It leaves &lt;b&gt;on Tuesday&lt;/b&gt;.')
    // It is paid on delivery: nothing is owed in advance, so there is no link to pay.
    expect(await written(`order-${id}-customer_invoice`)).not.toContain('order-pay')
  })
})

describe('a refund', () => {
  it('is told with its own sum and reason', async () => {
    const id = await ordered('MUG', 2)
    await moved(id, 'completed')
    const [row] = await shop.db.sql`select total, currency from orders where id = ${id}`
    const refund = async (key: string, amount: number) => {
      const result = await refundOrder(tools(), id, {
        key,
        ask: { kind: 'amount', minor: amount },
        reason: 'Came broken',
        byHand: true,
      })
      if (!result.ok) throw new Error(result.reason)
      return result.refund.id
    }
    const part = await refund('one', 500)
    await mailsOf(id, 4)
    const rest = await refund('two', Number(row?.total) - 500)
    await mailsOf(id, 5)
    const mail = await written(`order-${id}-customer_partially_refunded_order-${part}`)
    expect(mail).toContain('We have refunded $5.00 to you.')
    expect(mail).toContain('> Came broken')
    expect(await written(`order-${id}-customer_refunded_order-${rest}`)).toContain('Your order is refunded in full.')
  })
})

describe('what a process had taken when it was killed', () => {
  it('P7 is taken up by the next one that starts', async () => {
    const database = await aDatabase()
    // Of no order that there is: nobody is told, and the row says so.
    await database.sql`insert into sent_mail (message_id, kind, recipient, taken_at) values ('lost', 'new_order', '', now())`
    const next = await aShop({ wallet: false, database })
    try {
      await expect
        .poll(() => database.sql`select skipped, taken_at from sent_mail where message_id = 'lost'`, {
          timeout: 20_000,
        })
        .toEqual([{ skipped: 'nobody', taken_at: null }])
    } finally {
      await next.close()
    }
  })
})

describe('stock', () => {
  it('is told when a sale crosses a threshold, and what is promised without being there', async () => {
    const mug = await shop.idOf('MUG')
    await shop.db
      .sql`update products set stock_quantity = 4, low_stock_amount = 3, backorders = 'yes' where id = ${mug}`
    const low = await ordered('MUG', 1)
    expect(await kindsOf(low, 3)).toContain(`low_stock-${mug}`)
    const nothing = await ordered('MUG', 1)
    expect(await kindsOf(nothing, 2)).toHaveLength(2)
    const last = await ordered('MUG', 4)
    expect(await kindsOf(last, 4)).toEqual(expect.arrayContaining([`no_stock-${mug}`, `backorder-${mug}`]))
    const mail = await written(`order-${last}-backorder-${mug}`)
    expect(mail).toContain('Subject: [Fogline] On backorder: Plain mug')
    expect(mail).toContain('2 pieces that are not in stock yet have been sold.')
    await shop.db.sql`update products set stock_quantity = 500, backorders = 'no' where id = ${mug}`
  })
})

describe("the merchant's settings", () => {
  it('switch a message off, send it elsewhere, and put own words in it', async () => {
    const recipients = ['one@fogline.test', 'two@fogline.test']
    await set({
      customer_processing_order: { enabled: false },
      new_order: { recipients, subject: '{order_number} / {site_title}', additional: 'Pack it well.', format: 'plain' },
    })
    const id = await ordered()
    const rows = await mailsOf(id, 2)
    expect(rows.map(({ kind, recipient, skipped }) => ({ kind, recipient, skipped }))).toEqual([
      { kind: 'customer_processing_order', recipient: '', skipped: 'disabled' },
      { kind: 'new_order', recipient: recipients.join(', '), skipped: null },
    ])
    const mail = await written(`order-${id}-new_order`)
    expect(mail).toContain('To: one@fogline.test, two@fogline.test')
    expect(mail).toContain(`Subject: ${id} / Fogline`)
    expect(mail).toContain('Pack it well.')
    expect(mail).not.toContain('<html')
    expect(
      (await readdir(join(shop.dataDir, 'outbox'))).filter((name) => name.startsWith(`order-${id}-`)),
    ).toHaveLength(1)
  })
})

describe('npm run shop -- mail', () => {
  const mail = (...args: string[]) => {
    const outbox = join(shop.dataDir, 'tests-outbox')
    const desk = { mailDesk: async () => openMailDesk(tools(), { smtpUrl: '', outbox }) }
    return runCommandWith({ ...desk, publicUrl: shop.url }, mailCommand, shop.db, ...args)
  }

  it('previews a message of a real order, as markup and as text', async () => {
    const id = await ordered('BOWL')
    const html = await mail('preview', 'customer_processing_order', '--order', String(id))
    expect(html.err).toBe(`Subject: Your order ${id} has been received`)
    expect(html.out).toMatch(/^<!doctype html>[\s\S]*Soup bowl × 1[\s\S]*<\/html>$/)
    const text = await mail('preview', 'customer_processing_order', '--order', String(id), '--text')
    expect(text.out).toMatch(/^Thank you for your order \d+\n\nHello Ada,/)
    const newest = await mail('preview', 'new_order', '--text')
    expect(newest.out).toContain(`New order ${id}`)
    expect((await mail('preview', 'customer_note', '--order', '999999')).err).toBe(
      'Error: order 999999 does not exist. List orders: orders list',
    )
    expect(await mail('preview', 'new-order')).toMatchObject({ code: 2, err: expect.stringContaining('new_order') })
  })

  it('names whose order it is, where a name does not come first in an address as well', async () => {
    const id = await ordered('BOWL')
    const said = async (billing: Record<string, string>) => {
      await shop.db.sql`update orders set billing = billing || ${shop.db.sql.json(billing)} where id = ${id}`
      return (await mail('preview', 'new_order', '--order', String(id), '--text')).out
    }
    expect(await said({ country: 'JP', state: 'JP13', postcode: '100-0005' })).toContain(
      '\nAda Lovelace has placed an order.',
    )
    expect(await said({ first_name: '', last_name: '', company: 'Denki KK' })).toContain('\nDenki KK has placed')
    expect(await said({ company: '' })).toContain('\nada@example.test has placed')
  })

  it('writes a preview into a file, and shows every message there is', async () => {
    const out = join(shop.dataDir, 'preview.html')
    const { err, code } = await mail('preview', 'customer_reset_password', '--out', out)
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining(`Wrote ${out}.`) })
    expect(await readFile(out, 'utf8')).toContain('Choose a new password')
    const list = await mail('list')
    expect(list.out.split('\n')).toHaveLength(1 + mailKinds.length)
    expect(list.out).toMatch(/^new_order +on +desk@fogline\.test +an order was placed/m)
  })

  it('sends a test to one address, which is not recorded as the message itself', async () => {
    const { err, code } = await mail('send-test', 'new_order', '--to', 'me@fogline.test')
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('[test] [Fogline] New order') })
    const [file = ''] = await readdir(join(shop.dataDir, 'tests-outbox'))
    expect(await readFile(join(shop.dataDir, 'tests-outbox', file), 'utf8')).toContain('To: me@fogline.test')
    expect((await mail('send-test', 'new_order', '--to', 'me')).code).toBe(2)
  })

  it('sends an invoice, and tells what was sent', async () => {
    const id = await ordered()
    expect((await mail('invoice', String(id))).code).toBe(0)
    await mailsOf(id, 3)
    const { out } = await mail('sent', String(id))
    expect(out).toMatch(/^customer_invoice +customer +\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
    expect((await mail('invoice', '999999')).err).toBe('Error: order 999999 does not exist. List orders: orders list')
  })
})
