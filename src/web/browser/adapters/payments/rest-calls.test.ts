import { describe, expect, it } from 'vitest'
import { type Answer, RequestFailed, type RequestOptions } from '../../runtime/request.ts'
import { cleanAnswer, isUnanswered, paymentCalls, routeUrl } from './rest-calls.ts'

const general = {
  page: 'checkout' as const,
  restNonce: 'n1',
  restRoutes: { 'cart/order': { url: '/listed' } },
  ajaxRestPath: '/wp-json/wc-ppcp/v1/%s',
}

function calls(status: number, body: unknown) {
  const sent: { url: string; options: RequestOptions }[] = []
  const send = async (url: string, options: RequestOptions = {}): Promise<Answer> => {
    sent.push({ url, options })
    return { ok: status < 400, status, url, text: JSON.stringify(body) }
  }
  return { sent, calls: paymentCalls(general, send) }
}

describe('the address of a payment route', () => {
  it('REST-05 is the listed one, else the template with the route in it', () => {
    expect(routeUrl(general, 'cart/order')).toBe('/listed')
    expect(routeUrl(general, 'cart/item')).toBe('/wp-json/wc-ppcp/v1/cart/item')
    expect(routeUrl(general, 'constructor')).toBe('/wp-json/wc-ppcp/v1/constructor')
    // Special characters of a replacement string are taken literally.
    expect(routeUrl(general, "a$&b$'c")).toBe("/wp-json/wc-ppcp/v1/a$&b$'c")
  })
})

describe('an answer', () => {
  it.each([
    ['"5O19"', '5O19'],
    ['["5O19","6P20"]', '5O19'],
    ['"<b>5O19</b>"', '5O19'],
    ['<br />"5O19"', '5O19'],
    ['5O19\n', '5O19'],
  ])('FLOW-12 %s gives %s', (text, value) => {
    expect(cleanAnswer(text)).toBe(value)
  })

  it('FLOW-12 keeps figures and structure, and cleans the texts in it', () => {
    expect(cleanAnswer('{"order_id":"<p>5O19</p>","cart":{"total":3}}')).toEqual({
      order_id: '5O19',
      cart: { total: 3 },
    })
  })
})

describe('a payment call', () => {
  const order = { payment_method: 'ppcp', order_id: 1001, order_key: 'wc_order_x' }

  it('FLOW-11 carries the nonce and the order, and gives the wallet order', async () => {
    const { calls: rest, sent } = calls(200, '5O190127TN364715T')
    expect(await rest.payOrder(order)).toBe('5O190127TN364715T')
    expect(sent[0]?.url).toBe('/wp-json/wc-ppcp/v1/order/pay')
    expect(sent[0]?.options.headers).toMatchObject({ 'X-WP-Nonce': 'n1', 'Content-Type': 'application/json' })
    expect(JSON.parse(String(sent[0]?.options.body))).toEqual(order)
  })

  it('carries the nonce that the answer before it gave, for the session may have begun with that answer', async () => {
    const nonces: unknown[] = []
    const send = async (url: string, options: RequestOptions = {}): Promise<Answer> => {
      nonces.push(options.headers?.['X-WP-Nonce'])
      return { ok: true, status: 200, url, text: '"5O190127TN364715T"', nonce: 'n2' }
    }
    const rest = paymentCalls(general, send)
    await rest.createOrder({})
    await rest.createOrder({})
    expect(nonces).toEqual(['n1', 'n2'])
  })

  it('takes nothing but an order id for one', async () => {
    await expect(calls(200, '5O19"><script>').calls.createOrder({})).rejects.toThrow('without a wallet order')
    await expect(calls(200, '').calls.createOrder({})).rejects.toThrow('without a wallet order')
  })

  it('FLOW-15 throws what the shop refuses, with its code', async () => {
    const refused = calls(200, { code: 'add-to-cart-error', message: 'Only 1 left.' }).calls
    await expect(refused.addItem({ payment_method: 'ppcp', product_id: 1 })).rejects.toMatchObject({
      code: 'add-to-cart-error',
      message: 'Only 1 left.',
    })
  })

  it('F21 tells a request that may be repeated from one that was refused', async () => {
    const busy = await calls(503, { code: 'busy', message: 'Busy' })
      .calls.checkout({})
      .catch((error: unknown) => error)
    expect(isUnanswered(busy)).toBe(true)
    expect(busy).toMatchObject({ said: { message: 'Busy' } })
    expect(isUnanswered(new RequestFailed('cut'))).toBe(true)
    const refused = await calls(400, { code: 'x' })
      .calls.checkout({})
      .catch((error: unknown) => error)
    expect(isUnanswered(refused)).toBe(false)
  })
})
