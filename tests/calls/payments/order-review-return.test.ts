import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

const address = (walletOrderId: string, fields: object = {}) => {
  const json = JSON.stringify({ payment_method: 'ppcp', paypal_order: walletOrderId, fields })
  return `/checkout/?_ppcp_order_review=${encodeURIComponent(Buffer.from(json).toString('base64'))}`
}

const valueIn = (html: string, id: string) =>
  /value="([^"]*)"/.exec(new RegExp(`<input[^>]* id="${id}"[^>]*>`).exec(html)?.[0] ?? '')?.[1]

describe('coming back with an approved payment', () => {
  it('CHK-06 CHK-12 fills the form, hides the wallet, says that the payment is ready, and places the order', async () => {
    const shopper = new Shopper(shop, 'ida')
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const html = await shopper.page(
      address(walletOrderId, { first_name: 'Wilma', billing_city: ' Fresno ', order_comments: 'Ring <twice>' }),
    )
    expect(html).toContain('Your payment is ready.')
    expect(html).not.toContain('wallet-buttons')
    expect([valueIn(html, 'billing_first_name'), valueIn(html, 'billing_city')]).toEqual(['Wilma', 'Fresno'])
    expect(valueIn(html, 'billing_last_name')).toBe('Lovelace')
    expect(html).toContain('Ring &lt;twice&gt;')
    expect(valueIn(html, 'ppcp_paypal_order_id')).toBe(walletOrderId)
    await shopper.openCheckout()
    const placed = await shopper.placeOrder('ppcp', walletOrderId)
    expect(placed.redirect).toContain('/checkout/order-received/')
  })

  it('CHK-06 a reload keeps what was typed since', async () => {
    const shopper = new Shopper(shop, 'may')
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const path = address(walletOrderId, { billing_first_name: 'Wilma' })
    await shopper.page(path)
    await shopper.openCheckout()
    await shopper.post('/checkout/', {
      ...shopper.form('ppcp'),
      billing_first_name: 'Mayflower',
      woocommerce_checkout_update_totals: '1',
    })
    expect(valueIn(await shopper.page(path), 'billing_first_name')).toBe('Mayflower')
  })

  it('CHK-06 the link of the message takes the payment back', async () => {
    const shopper = new Shopper(shop, 'eve')
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const html = await shopper.page(address(walletOrderId))
    const link = /class="wc-ppcp-cancel__payment" href="([^"]*)"/.exec(html)?.[1] ?? ''
    await shopper.request(link.replaceAll('&amp;', '&'))
    const after = await shopper.page('/checkout/')
    expect(after).toContain('wallet-buttons')
    expect(after).not.toContain('wc-ppcp-order-review-message__container')
    expect(valueIn(after, 'ppcp_paypal_order_id')).toBe('')
  })

  it('CHK-06 T7 T10 fills nothing for a payment of somebody else, of nobody, or that is not approved', async () => {
    const other = new Shopper(shop, 'zoe')
    const foreign = await other.startToPay()
    await other.approve(foreign.walletOrderId)
    const shopper = new Shopper(shop, 'kim')
    const own = await shopper.startToPay()
    for (const id of [foreign.walletOrderId, 'NOBODYS1', own.walletOrderId]) {
      const html = await shopper.page(address(id, { billing_first_name: 'Mallory', shipping_address_1: 'Elsewhere 1' }))
      expect(html).not.toContain('Mallory')
      expect(html).not.toContain('Elsewhere 1')
      expect(html).not.toContain('wc-ppcp-order-review-message__container')
    }
  })
})
