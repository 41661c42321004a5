import { describe, expect, it } from 'vitest'
import { mailKinds, mailSettings } from '#contract/mail/settings.ts'
import { anOrder } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aShop, usd } from '#tests/support/shared/page-fixtures.ts'
import { select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { composeMail } from './compose-mail.tsx'
import type { OrderMailContent } from './mail-content.ts'
import { sampleMail, sampleOrderMail } from './mail-samples.ts'

const base = 'https://shop.example'
const usual = mailSettings.parse({}).messages.new_order
const shop = aShop({ name: 'Fjord & Fern' })

const about = (kind: OrderMailContent['kind'], over: Partial<OrderMailContent> = {}) => ({
  ...sampleOrderMail(shop, kind, base),
  ...over,
})
const html = (content: Parameters<typeof composeMail>[1], own = usual) => composeMail(shop, content, own).html ?? ''
const text = (content: Parameters<typeof composeMail>[1], own = usual) => composeMail(shop, content, own).text

describe('every message', () => {
  it.each(mailKinds)('%s says the same as markup and as text, and needs nothing from elsewhere', (kind) => {
    const mail = composeMail(shop, sampleMail(shop, kind, base), usual)
    const body = theOne(mail.html ?? '', 'body')
    expect(mail.subject).toMatch(/^\S.*\S$/)
    expect(textOf(theOne(mail.html ?? '', 'title'))).toBe(mail.subject)
    expect(select(body, 'h1')).toHaveLength(1)
    expect(mail.html).not.toMatch(/\bsrc=|<link|<script|url\(|@import|var\(/)
    for (const { attributes } of select(body, 'a')) expect(attributes.href).toMatch(/^https:\/\/shop\.example\//)
    expect(mail.text).not.toMatch(/<\/?[a-z]|&(?:amp|lt|#x27);/)
    // Compares the words only: markup breaks lines elsewhere.
    const plain = mail.text.replace(/[\s>]+/g, ' ')
    for (const name of ['h1', 'h2', 'th', 'td', 'blockquote']) {
      for (const part of select(body, name).flatMap(({ children }) =>
        children.filter((child) => typeof child === 'string'),
      )) {
        expect(plain).toContain(part.replace(/\s+/g, ' ').trim())
      }
    }
  })
})

describe('a message about an order', () => {
  const lines = anOrder().lines.map((line) => ({ ...line, name: 'Tidal carafe' }))
  const order = anOrder({ lines, customerNote: 'Ring twice' })

  it('tells lines, choices, figures and addresses', () => {
    const body = html(about('customer_processing_order', { order }))
    expect(select(body, 'tr').map(textOf)).toEqual([
      'Tidal carafe – Sea green × 2$128.00',
      'Subtotal:$128.00',
      'Shipping:Standard',
      'Payment method:PayPal',
      'Total:$134.90',
    ])
    const plain = text(about('customer_processing_order', { order }))
    expect(plain).toMatch(/^Tidal carafe – Sea green × 2 +\$128\.00$/m)
    expect(plain).toMatch(/^Total: +\$134\.90$/m)
    expect(plain).toContain('Billing address\n  Ada Lind\n  12 Harbour Street\n  San Francisco, CA 94110\n')
    expect(plain).toContain('> Ring twice')
  })

  it('tells the shop how to reach the customer, and the customer nothing that is known', () => {
    expect(text(about('new_order', { order }))).toMatch(/\+1 415 555 0100\n {2}ada@example\.test/)
    expect(text(about('customer_processing_order', { order }))).not.toContain('415 555')
    expect(text(about('new_order', { order }))).not.toContain(base)
  })

  it('tells the shop what was bought by its SKU, whatever language the order was placed in', () => {
    const lines = anOrder().lines.map((line) => ({ ...line, name: 'مزهرية المدّ', sku: 'TIDAL-1' }))
    expect(text(about('new_order', { order: anOrder({ lines }) }))).toMatch(/^ {4}SKU: TIDAL-1$/m)
    expect(text(about('customer_processing_order', { order: anOrder({ lines }) }))).not.toContain('TIDAL-1')
    const bare = lines.map((line) => ({ ...line, sku: '' }))
    expect(text(about('new_order', { order: anOrder({ lines: bare }) }))).not.toContain('SKU')
  })

  it('leads to payment while something is owed, else to the order', () => {
    const links = (body: string) => select(body, 'a').map(({ attributes }) => attributes.href)
    const payUrl = `${base}/checkout/order-pay/1042/?pay_for_order=true&key=k`
    expect(links(html(about('customer_invoice', { order, payUrl })))).toEqual([payUrl])
    expect(text(about('customer_invoice', { order, payUrl }))).toContain(`Pay for this order:\n${payUrl}\n`)
    const paid = about('customer_invoice', { order, payUrl: null, orderUrl: `${base}/my-account/view-order/1042/` })
    expect(links(html(paid))).toEqual([`${base}/my-account/view-order/1042/`])
    expect(composeMail(shop, paid, usual).subject).toBe('The details of your order 1042')
  })

  it('says where to transfer to, and which files are open', () => {
    const account = { accountName: 'Fogline', accountNumber: '', bankName: '', sortCode: '', iban: 'DE02', bic: 'BYLA' }
    const payment = { text: 'Name the number.', accounts: [account] }
    const waiting = html(about('customer_on_hold_order', { order, payment }))
    expect(select(waiting, 'tr').slice(0, 3).map(textOf)).toEqual(['Account nameFogline', 'IBANDE02', 'BICBYLA'])
    expect(text(about('new_order', { order, payment }))).not.toContain('DE02')
    const downloads = [{ name: 'Guide.pdf', url: `${base}/download/t0k3n/` }]
    expect(text(about('customer_completed_order', { order, downloads }))).toContain(
      `Guide.pdf: ${base}/download/t0k3n/`,
    )
  })

  it('ends its figures in one column, whatever letters their labels are of', () => {
    const names = ['潮の花瓶 ブルー', 'مزهرية المدّ', 'Cafe\u0301 mug', 'Tidal carafe']
    const lines = names.flatMap((name) =>
      anOrder()
        .lines.slice(0, 1)
        .map((line) => ({ ...line, name })),
    )
    const rows = text(about('customer_processing_order', { order: anOrder({ lines }) })).split('\n')
    const columns = names.map((name) => {
      const row = rows.find((one) => one.startsWith(name)) ?? ''
      const bare = row.replace(/[\p{Mark}\p{Cf}]/gu, '')
      return bare.length + (bare.match(/[\u3041-\u9fff]/g)?.length ?? 0)
    })
    expect(columns).toEqual(names.map(() => 64))
  })

  it('says what was given back, and what the merchant has to say', () => {
    const refund = { amount: '$10.00', reason: 'It came <broken>.' }
    expect(text(about('customer_partially_refunded_order', { refund }))).toMatch(
      /refunded \$10\.00 to you[\s\S]*> It came <broken>\./,
    )
    const note = text(about('customer_note', { note: 'It leaves on Tuesday.\nThe courier rings.' }))
    expect(note).toContain('> It leaves on Tuesday.\n> The courier rings.\n')
    const typed = anOrder({ customerNote: 'Ring twice.\r\nMind the dog.' })
    expect(text(about('new_order', { order: typed }))).toContain('> Ring twice.\n> Mind the dog.\n')
  })

  it('prints what strangers typed as text, in either form', () => {
    const hostile = '<img src=x onerror=alert(1)>&lt;b&gt;'
    const lines = anOrder().lines.map((line) => ({ ...line, name: hostile, choices: [{ label: 'a', value: hostile }] }))
    const order = anOrder({ lines, billing: [hostile, hostile], customerNote: hostile })
    const content = about('new_order', { order, firstName: hostile })
    expect(select(html(content), 'img')).toEqual([])
    expect(text(content)).toContain(`${hostile} × 2`)
    expect(text(content)).toContain(`> ${hostile}\n`)
  })

  it('breaks no head, whatever a name holds', () => {
    const order = anOrder({ number: '1\r\nBcc: all@example.test\u202e\u2028x' })
    expect(composeMail(shop, about('new_order', { order }), usual).subject).toBe(
      '[Fjord & Fern] New order 1 Bcc: all@example.test x',
    )
  })

  it('shows a total with the taxes in it, and a rebate with its sign', () => {
    const totals = [
      { key: 'discount', label: 'Discount', value: usd(-500) },
      { key: 'order_total', label: 'Total', value: usd(11900) },
    ]
    const order = anOrder({ totals, includedTaxes: [{ label: 'VAT', amount: usd(1900) }] })
    const rows = select(html(about('customer_completed_order', { order })), 'tr').map(textOf)
    expect(rows.slice(1)).toEqual(['Discount\u2212$5.00', 'Total$119.00(includes $19.00 VAT)'])
  })
})

it('CUR-05 gives back in an example what it charges, written as the shop writes prices', () => {
  const yen = aShop({ currency: 'JPY', priceFormat: { ...shop.priceFormat, decimals: 2, position: 'right_space' } })
  const { text: said } = composeMail(yen, sampleOrderMail(yen, 'customer_refunded_order', base), usual)
  expect(said).toContain('refunded 13,490.00\u00a0¥ to you')
  expect(said).toMatch(/^Total +13,490\.00\u00a0¥$/m)
})

it('counts pieces as they are counted', () => {
  const stock = (kind: 'low_stock' | 'backorder', onHand: number) => {
    const sample = sampleMail(shop, kind, base)
    return text(sample.about === 'stock' ? { ...sample, onHand } : sample)
  }
  expect(stock('low_stock', 1)).toContain('1 piece is left.')
  expect(stock('low_stock', 2)).toContain('2 pieces are left.')
  expect(stock('backorder', -1)).toContain('1 piece that is not in stock yet has been sold.')
  expect(stock('backorder', -3)).toContain('3 pieces that are not in stock yet have been sold.')
})

describe("the merchant's own words", () => {
  const own = {
    ...usual,
    subject: 'Nr. {order_number} – {site_title}',
    heading: '{order_date}',
    additional: 'Bye {nobody} {constructor}',
  }

  it('take the place of the usual ones, filled in', () => {
    const mail = composeMail(shop, about('new_order', { date: 'May 4' }), own)
    expect(mail.subject).toBe('Nr. 1001 – Fjord & Fern')
    expect(textOf(theOne(mail.html ?? '', 'h1'))).toBe('May 4')
    expect(mail.text).toContain('Bye {nobody} {constructor}\n')
  })

  it('may ask for plain text alone', () => {
    expect(composeMail(shop, about('new_order'), { ...usual, format: 'plain' }).html).toBeNull()
  })
})

it('turns its sides for a language that is written from the right', () => {
  const mail = composeMail(aShop({ dir: 'rtl' }), about('new_order'), usual).html ?? ''
  expect(theOne(mail, 'html').attributes.dir).toBe('rtl')
  expect(select(mail, 'td')[0]?.attributes.style).toContain('text-align:left')
})
