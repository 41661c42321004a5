import { describe, expect, it } from 'vitest'
import type { OrderReceivedFacts } from '#shop/checkout/checkout-facts.ts'
import { anOrder } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { renderPart } from '../shared/render.tsx'
import { OrderReceivedPage } from './order-received-page.tsx'

const page = (facts: OrderReceivedFacts) =>
  renderPart(aShop(), <OrderReceivedPage facts={facts} nonces={{ wc_verify_email: 'dddddddddd' }} />)

describe('the order-received page', () => {
  it('CHK-15 shows the placed order with number, date, total, lines and addresses', () => {
    const order = theOne(page({ kind: 'received', order: anOrder(), instructions: null }), 'div.woocommerce-order')
    expect(
      textOf(theOne(order, 'p.woocommerce-notice.woocommerce-notice--success.woocommerce-thankyou-order-received')),
    ).toBe('Thank you. Your order has been received.')
    const overview = 'ul.woocommerce-order-overview.woocommerce-thankyou-order-details.order_details'
    expect(select(order, `${overview} > li > strong`).map(textOf)).toEqual([
      '1042',
      'May 4, 2031',
      'ada@example.test',
      '$134.90',
      'PayPal',
    ])
    expect(select(order, `${overview} > li.woocommerce-order-overview__payment-method.method`)).toHaveLength(1)
    const table = theOne(order, 'section.woocommerce-order-details table.woocommerce-table--order-details')
    expect(select(table, 'tbody tr.order_item td').map(textOf)).toEqual(['Tidal carafe × 2Colour:Sea green', '$128.00'])
    expect(select(table, 'tbody td[role=rowheader]').map(textOf)).toEqual(['Tidal carafe × 2Colour:Sea green'])
    expect(select(table, 'tfoot td').map(textOf)).toEqual(['$128.00', 'Standard', 'PayPal', '$134.90'])
    expect(select(order, 'section.woocommerce-customer-details address')).toHaveLength(2)
  })

  it('CHK-15 tells a stranger nothing about the order', () => {
    const html = page({ kind: 'generic' })
    expect(textOf(theOne(html, 'div.woocommerce-order'))).toBe('Thank you. Your order has been received.')
  })

  it('CHK-15 asks for the email address first where it must', () => {
    const form = theOne(page({ kind: 'verify-email', orderId: 1042, failed: true }), 'form.woocommerce-verify-email')
    expect(select(form, 'input#email[name=email]')).toHaveLength(1)
    expect(select(form, 'button[name=verify][value=1]')).toHaveLength(1)
    expect(theOne(form, 'input[name=check_submission]').attributes.value).toBe('dddddddddd')
    // The message itself is among those of the page.
    expect(select(form, 'input#email[aria-invalid=true][aria-describedby=email_description]')).toHaveLength(1)
  })

  it('says that a declined payment was not charged, and where to pay again', () => {
    const html = page({ kind: 'failed', order: anOrder(), payUrl: '/checkout/order-pay/1042/?key=x' })
    expect(select(html, 'p.woocommerce-notice--error.woocommerce-thankyou-order-failed')).toHaveLength(1)
    expect(theOne(html, 'p.woocommerce-thankyou-order-failed-actions > a.button.pay').attributes.href).toBe(
      '/checkout/order-pay/1042/?key=x',
    )
    expect(select(html, 'p.woocommerce-notice--success')).toHaveLength(0)
  })

  it('neither thanks nor fails while a payment is unknown', () => {
    const html = page({ kind: 'checking', order: anOrder(), reloadUrl: '/checkout/order-received/1042/?key=x' })
    expect(select(html, 'p.woocommerce-notice--success')).toHaveLength(0)
    expect(select(html, 'p.woocommerce-notice--error')).toHaveLength(0)
    expect(textOf(theOne(html, 'p[role=status]'))).toContain('you do not need to pay again')
    expect(theOne(html, 'a.button').attributes.href).toBe('/checkout/order-received/1042/?key=x')
  })
})
