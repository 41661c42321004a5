import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const on = { enabled: true }
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { paypal: { sections: [], cards: on, fastlane: on } } })
})
afterAll(() => shop?.close())

type Printed = {
  queryParams: Record<string, string>
  isLoggedIn?: boolean
  ppcp_card_data?: { fastlane_enabled: boolean; html: { modal: string; tokenized_card: string } }
}

async function checkout(visitor: Customer, at = shop): Promise<{ html: string; printed: Printed }> {
  await visitor.send('/?wc-ajax=add_to_cart', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ product_id: String(await at.idOf('MUG')), quantity: '1' }),
  })
  const html = await visitor.page('/checkout/')
  const [, settings = '{}'] = /id="vitrine-settings">(.*?)<\/script>/.exec(html) ?? []
  // The shop's own page, read as its scripts read it.
  return { html, printed: JSON.parse(settings).wcPPCPSettings as Printed }
}

const tokensAsked = async () => {
  const log = (await shop.emulate('/log')) as { operation: string }[]
  return log.filter(({ operation }) => operation === 'oauth.token').length
}

describe('accelerated checkout on the checkout page', () => {
  it('FAST-01 FAST-09 a guest’s page has a token for the script, and the templates', async () => {
    const { html, printed } = await checkout(aCustomer(shop))
    expect(printed.isLoggedIn).toBe(false)
    expect(printed.queryParams.components).toMatch(/(^|,)fastlane(,|$)/)
    expect(printed.queryParams['data-sdk-client-token']).toMatch(/^\S{20,}$/)
    expect(printed.ppcp_card_data).toMatchObject({ fastlane_enabled: true })
    expect(printed.ppcp_card_data?.html.modal).toContain('role="dialog"')
    expect(printed.ppcp_card_data?.html.tokenized_card).toContain('wc-ppcp-tokenized-card__change')
    expect(html).toContain('id="fastlane-watermark"')
  })

  it('FAST-01 one token serves many pages', async () => {
    const first = await checkout(aCustomer(shop))
    const before = await tokensAsked()
    const second = await checkout(aCustomer(shop))
    expect(second.printed.queryParams['data-sdk-client-token']).toBe(first.printed.queryParams['data-sdk-client-token'])
    expect(await tokensAsked()).toBe(before)
  })

  it('FAST-01 customers of the shop have nothing of it on their page', async () => {
    const ada = aCustomer(shop)
    await ada.page('/my-account/')
    await ada.register()
    const { html, printed } = await checkout(ada)
    expect(printed.isLoggedIn).toBe(true)
    expect(printed.queryParams.components).not.toContain('fastlane')
    expect(printed.queryParams).not.toHaveProperty('data-sdk-client-token')
    expect(printed.ppcp_card_data).toMatchObject({ fastlane_enabled: false, html: { modal: '', tokenized_card: '' } })
    expect(html).not.toContain('fastlane-watermark')
  })
})

describe('accelerated checkout without the provider', () => {
  it('FAST-10 a page that gets no token goes without, at once', async () => {
    await using other = await aShop({ settings: { paypal: { sections: [], cards: on, fastlane: on } } })
    await other.emulate('/fault', { route: 'oauth.token', status: 503, times: 5 })
    const { html, printed } = await checkout(aCustomer(other), other)
    expect(printed.ppcp_card_data).toMatchObject({ fastlane_enabled: false })
    expect(printed.queryParams.components).toBe('buttons,card-fields')
    expect(html).not.toContain('fastlane-watermark')
  })
})
