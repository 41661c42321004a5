import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** One mug for 12.00; sending costs 6.90 or 15.00 within the United States; California adds 7.25 % to goods. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

type Unit = {
  amount: { value: string; breakdown?: { shipping?: { value: string } } }
  shipping?: { options?: { id: string; label: string; selected: boolean; amount: { value: string } }[] }
}
type Opened = {
  payment_source?: { paypal?: { experience_context?: { order_update_callback_config?: { callback_url: string } } } }
  purchase_units: Unit[]
}
type Logged = { operation: string; path: string; request?: unknown }

type Change = { op: string; path: string; value: unknown }

/** What the provider was told last about an order: by its opening or by a change of it. */
async function told(walletOrderId: string): Promise<Unit> {
  const log = (await shop.emulate('/log')) as Logged[]
  const patch = log.findLast(({ operation, path }) => operation === 'orders.patch' && path.endsWith(walletOrderId))
  if (patch) {
    const changes = patch.request as Change[]
    const value = (path: string) => changes.find((change) => change.path.endsWith(`'default'/${path}`))?.value
    return { amount: value('amount') as Unit['amount'], shipping: { options: value('shipping/options') as never } }
  }
  const opened = log.findLast(({ operation }) => operation === 'orders.create')?.request as Opened | undefined
  const [unit] = opened?.purchase_units ?? []
  if (!unit) throw new Error('the provider was told nothing')
  return unit
}

async function ledgerOf(walletOrderId: string) {
  const { orders } = (await shop.emulate('/ledger')) as {
    orders: { id: string; status: string; amount: { value: string } }[]
  }
  return orders.find(({ id }) => id === walletOrderId)
}

const california = { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' }
const newYork = { city: 'New York', state: 'NY', postcode: '10001', country: 'US' }

async function anExpress(name: string): Promise<{ shopper: Shopper; walletOrderId: string }> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
  return { shopper, walletOrderId: (await opened.json()) as string }
}

const ask = (shopper: Shopper, walletOrderId: string, change: object) =>
  shopper.rest('cart/shipping', { payment_method: 'ppcp', order_id: walletOrderId, ...change })

describe('shipping that is chosen in the wallet', () => {
  it('FLOW-07 the wallet has the ways of shipping to choose from when it opens', async () => {
    const { walletOrderId } = await anExpress('may')
    const { amount, shipping } = await told(walletOrderId)
    expect(amount.value).toBe('19.77')
    expect(
      shipping?.options?.map(({ id, label, selected, amount: { value } }) => [id, label, selected, value]),
    ).toEqual([
      ['0:flat_rate:1', 'Standard', true, '6.90'],
      ['0:flat_rate:2', 'Express', false, '15.00'],
    ])
  })

  it('FLOW-07 S8 another address gives another total, which the provider has before the buyer agrees', async () => {
    const { shopper, walletOrderId } = await anExpress('nan')
    const answer = await ask(shopper, walletOrderId, { address: newYork })
    expect([answer.status, await answer.json()]).toEqual([200, { success: true, order_id: walletOrderId }])
    // No sales tax in New York: 12.00 and 6.90.
    expect((await told(walletOrderId)).amount.value).toBe('18.90')
    expect((await ledgerOf(walletOrderId))?.amount.value).toBe('18.90')
  })

  it('FLOW-07 P5 what was chosen in the window is what is paid, without another look', async () => {
    const { shopper, walletOrderId } = await anExpress('oli')
    expect((await ask(shopper, walletOrderId, { address: california })).status).toBe(200)
    const chosen = await ask(shopper, walletOrderId, { address: california, shipping_method: '0:flat_rate:2' })
    expect(chosen.status).toBe(200)
    const { amount, shipping } = await told(walletOrderId)
    expect([amount.value, amount.breakdown?.shipping?.value]).toEqual(['27.87', '15.00'])
    expect(shipping?.options?.find(({ selected }) => selected)?.id).toBe('0:flat_rate:2')
    await shopper.approve(walletOrderId)
    const closed = await shopper.rest('cart/checkout', {
      payment_method: 'ppcp',
      context: 'cart',
      ppcp_paypal_order_id: walletOrderId,
    })
    const { result, redirect } = (await closed.json()) as { result: string; redirect: string }
    expect([result, redirect]).toEqual(['success', expect.stringContaining('/checkout/order-received/')])
    const { captures } = (await shop.emulate('/ledger')) as {
      captures: { order_id: string; amount: { value: string } }[]
    }
    expect(captures.filter((one) => one.order_id === walletOrderId).map(({ amount: { value } }) => value)).toEqual([
      '27.87',
    ])
  })

  it('P5 F39 at S8: once the buyer has agreed, a choice that is told late changes nothing', async () => {
    const { shopper, walletOrderId } = await anExpress('ona')
    await shopper.approve(walletOrderId)
    const late = await ask(shopper, walletOrderId, { address: california, shipping_method: '0:flat_rate:2' })
    expect(late.status).toBe(404)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain('/checkout/order-received/')
    expect(await ledgerOf(walletOrderId)).toMatchObject({ status: 'COMPLETED', amount: { value: '19.77' } })
  })

  it('P5 F39 at S8: where the agreement and the new figures cross, the buyer looks at them first, with the address kept', async () => {
    const { shopper, walletOrderId } = await anExpress('pam')
    await shop.emulate('/fault', { route: 'orders.patch', answer_late: 1_500 })
    const changed = ask(shopper, walletOrderId, { address: california, shipping_method: '0:flat_rate:2' })
    await until(
      'the provider has the new figures',
      async () => (await ledgerOf(walletOrderId))?.amount.value === '27.87',
    )
    await shopper.approve(walletOrderId)
    // The return does not wait for the answer that the window was waiting for.
    const place = await shopper.returnFromWallet(walletOrderId)
    expect((await changed).status).toBe(404)
    expect(place).toContain('/checkout/?_ppcp_order_review=')
    const checkout = await shopper.page(place)
    expect(checkout).toMatch(/<input[^>]* id="billing_address_1"[^>]* value="12 Garden Street"/)
    expect(checkout).toMatch(/<input[^>]* id="billing_postcode"[^>]* value="95131"/)
    expect(await ledgerOf(walletOrderId)).toMatchObject({ status: 'APPROVED' })
    await shopper.openCheckout()
    expect((await shopper.placeOrder('ppcp', walletOrderId)).redirect).toContain('/order-received/')
    expect(await ledgerOf(walletOrderId)).toMatchObject({ status: 'COMPLETED', amount: { value: '27.87' } })
  })

  it('FLOW-07 a map from parcel to rate says the same', async () => {
    const { shopper, walletOrderId } = await anExpress('pia')
    await ask(shopper, walletOrderId, { address: california, shipping_method: { 0: 'flat_rate:2' } })
    expect((await told(walletOrderId)).amount.value).toBe('27.87')
  })

  it('FLOW-07 P1 F18 at S6: a window that is closed and opened again is the same one, where what was chosen in it costs the same', async () => {
    const { shopper, walletOrderId } = await anExpress('pru')
    expect((await ask(shopper, walletOrderId, { address: california })).status).toBe(200)
    const again = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    expect(await again.json()).toBe(walletOrderId)
  })

  it.each([
    [
      'a country that nothing goes to',
      { address: { ...california, country: 'GL', state: '', postcode: '3900', city: 'Nuuk' } },
    ],
    ['a rate that is not on offer', { address: california, shipping_method: '0:free_shipping:9' }],
    ['a parcel that there is not', { address: california, shipping_method: '7:flat_rate:1' }],
    ['no rate at all', { address: california, shipping_method: 'express' }],
  ])('FLOW-07 F39 at S8: %s is refused with a code, and nothing changes', async (_, change) => {
    const { shopper, walletOrderId } = await anExpress('quin')
    const answer = await ask(shopper, walletOrderId, change)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'shipping_error'])
    expect((await ledgerOf(walletOrderId))?.amount.value).toBe('19.77')
  })

  it('FLOW-07 a provider that cannot be reached is told apart from an order that is closed', async () => {
    const { shopper, walletOrderId } = await anExpress('ria')
    const said = async () => {
      const answer = await ask(shopper, walletOrderId, { address: newYork })
      return [answer.status, ((await answer.json()) as { message: string }).message]
    }
    await shop.emulate('/fault', { route: 'orders.get', status: 500, times: 9 })
    expect(await said()).toEqual([404, expect.stringContaining('could not be reached')])
    await shop.emulate('/faults/clear', {})
    expect((await ledgerOf(walletOrderId))?.amount.value).toBe('19.77')
    await shopper.approve(walletOrderId)
    expect(await said()).toEqual([404, expect.stringContaining('can no longer be changed')])
  })

  it('FLOW-07 half an address is let through and changes nothing', async () => {
    const { shopper, walletOrderId } = await anExpress('rex')
    const answer = await ask(shopper, walletOrderId, { address: { city: '', state: '', postcode: '', country: '' } })
    expect(answer.status).toBe(200)
    expect((await ledgerOf(walletOrderId))?.amount.value).toBe('19.77')
  })

  it('F39 at S8 T10: a stranger, another order and an order that is paid are refused', async () => {
    const { shopper, walletOrderId } = await anExpress('sam')
    const { shopper: stranger } = await anExpress('tom')
    const orders = () => shop.db.sql`select id, key, total, shipping from orders order by id`
    const before = await orders()
    for (const [who, id] of [
      [stranger, walletOrderId],
      [shopper, 'NOSUCHORDER1'],
    ] as const) {
      expect((await ask(who, id, { address: newYork })).status).toBe(404)
    }
    // Nothing is worked out with somebody else's order, not even for the one who asked.
    expect(await orders()).toEqual(before)
    expect((await ledgerOf(walletOrderId))?.amount.value).toBe('19.77')
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    expect((await ask(shopper, walletOrderId, { address: newYork })).status).toBe(404)
    expect(await ledgerOf(walletOrderId)).toMatchObject({ status: 'COMPLETED', amount: { value: '19.77' } })
  })

  it('T24 what is no question is refused as such', async () => {
    const { shopper, walletOrderId } = await anExpress('uma')
    for (const change of [
      { address: 'Main Street' },
      { address: [] },
      { shipping_method: ['x'] },
      { order_id: '<b>' },
    ]) {
      expect((await ask(shopper, walletOrderId, change)).status).toBe(400)
    }
  })
})

describe('the provider that asks the shop itself', () => {
  let asked: TestShop
  beforeAll(async () => {
    asked = await aShop({ settings: { paypal: { shippingCallback: 'server' } } })
  })
  afterAll(() => asked.close())

  async function open(name: string): Promise<{ shopper: Shopper; id: string; callback: string }> {
    const shopper = new Shopper(asked, name)
    await shopper.add('MUG')
    const id = (await (await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })).json()) as string
    const log = (await asked.emulate('/log')) as Logged[]
    const opened = log.findLast(({ operation }) => operation === 'orders.create')?.request as Opened | undefined
    const config = opened?.payment_source?.paypal?.experience_context?.order_update_callback_config
    return { shopper, id, callback: config?.callback_url ?? 'none' }
  }

  const question = (callback: string, body: object) =>
    fetch(callback, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const newYorkers = { country_code: 'US', admin_area_1: 'NY', admin_area_2: 'New York', postal_code: '10001' }

  it('S8 is told the address of one order, and answered with its figures', async () => {
    const { id, callback } = await open('ann')
    expect(callback.startsWith(asked.url + urls.shippingCallback(''))).toBe(true)
    const answer = await question(callback, {
      id,
      shipping_address: newYorkers,
      shipping_option: { id: '0:flat_rate:2' },
    })
    expect(answer.status).toBe(200)
    const { purchase_units: units, ...rest } = (await answer.json()) as {
      id: string
      purchase_units: { reference_id: string; amount: object; shipping_options: { id: string; selected: boolean }[] }[]
    }
    expect(rest).toEqual({ id })
    const usd = (value: string) => ({ currency_code: 'USD', value })
    expect(units).toHaveLength(1)
    expect(units[0]).toMatchObject({
      reference_id: 'default',
      amount: {
        ...usd('27.00'),
        breakdown: { item_total: usd('12.00'), shipping: usd('15.00'), tax_total: usd('0.00') },
      },
    })
    expect(units[0]?.shipping_options.map((one) => [one.id, one.selected])).toEqual([
      ['0:flat_rate:1', false],
      ['0:flat_rate:2', true],
    ])
  })

  it('P1 F18 at S6: a window that is closed and opened again is the same one, where what was chosen in it costs the same', async () => {
    const { shopper, id, callback } = await open('bea')
    const place = { ...newYorkers, admin_area_1: 'CA', admin_area_2: 'San Jose', postal_code: '95131' }
    expect((await question(callback, { id, shipping_address: place })).status).toBe(200)
    const again = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    expect(await again.json()).toBe(id)
  })

  it('F39 at S8: it is refused in its own words for another order, a foreign method, a country, and a secret that is none', async () => {
    const { id, callback } = await open('ben')
    const other = await open('cleo')
    const issueOf = async (response: Response) =>
      [response.status, ((await response.json()) as { details: { issue: string }[] }).details[0]?.issue] as const
    expect(await issueOf(await question(callback, { id: other.id, shipping_address: newYorkers }))).toEqual([
      422,
      'STORE_UNAVAILABLE',
    ])
    expect(
      await issueOf(await question(`${callback.slice(0, -1)}${callback.endsWith('0') ? '1' : '0'}`, { id })),
    ).toEqual([422, 'STORE_UNAVAILABLE'])
    expect(await issueOf(await question(callback, { id, shipping_option: { id: '0:free_shipping:3' } }))).toEqual([
      422,
      'METHOD_UNAVAILABLE',
    ])
    expect(
      await issueOf(
        await question(callback, {
          id,
          shipping_address: { country_code: 'GL', postal_code: '3900', admin_area_2: 'Nuuk' },
        }),
      ),
    ).toEqual([422, 'ADDRESS_ERROR'])
    const [row] = await asked.db.sql`select amount from wallet_orders where id = ${id}`
    expect(row).toEqual({ amount: 1977 })
  })

  it('F39 at S8 P5: an answer that came too late changes nothing of what is charged: the shopper looks once more', async () => {
    const { shopper, id, callback } = await open('dora')
    // The provider gave up waiting, so its own order keeps 19.77, while the shop has worked out 27.00.
    await question(callback, { id, shipping_address: newYorkers, shipping_option: { id: '0:flat_rate:2' } })
    await shopper.approve(id)
    expect(await shopper.returnFromWallet(id)).toContain(urls.checkout())
    const { captures } = (await asked.emulate('/ledger')) as { captures: { order_id: string }[] }
    expect(captures.filter(({ order_id }) => order_id === id)).toEqual([])
    // Once it is paid, or given up, nothing is worked out any more.
    await shopper.post(urls.cart(), {})
  })

  it('T24 is told when its question is none', async () => {
    const { callback } = await open('eve')
    for (const body of ['', '{', '[]', '{"id":"<b>"}', `{"id":"A","x":"${'y'.repeat(70_000)}"}`]) {
      const answer = await fetch(callback, { method: 'POST', body })
      expect(answer.status, body.slice(0, 20)).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
  })
})
