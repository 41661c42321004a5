import type { Page } from 'playwright-core'
import type { CardField, CardFieldState } from '#web/browser/adapters/payments/provider.ts'
import type { FixtureShop } from './fixture-shop.ts'
import type { Scene } from './scene.ts'

/** Stands in for the provider's script: each field is an empty frame, and its events come from the test. */
export const cardScript = `{
  const fake = (window.fake = { told: [] })
  const note = (...said) => { fake.told.push(said); return Promise.resolve() }
  const field = (name) => () => {
    const frame = document.createElement('iframe')
    frame.title = name
    return {
      render: async (place) => place.append(frame),
      focus: () => note('focus', name),
      addClass: (text) => note('addClass', name, text),
      removeClass: (text) => note('removeClass', name, text),
      setAttribute: (key, value) => note('setAttribute', name, key, value),
      setMessage: (text) => note('setMessage', name, text),
      close: async () => frame.remove(),
    }
  }
  window.paypal = {
    version: '5.0.1',
    CardFields: (options) => {
      fake.options = options
      const fields = { NumberField: 'number', ExpiryField: 'expiry', CVVField: 'cvv', NameField: 'name' }
      return {
        isEligible: () => true,
        ...Object.fromEntries(Object.entries(fields).map(([key, name]) => [key, field(name)])),
      }
    },
  }
}`

const path = '/sdk/js'

/** Serves the script, and allows it: payment pages do not require trusted types. */
export async function serveProviderScript({ shop, page }: Pick<Scene, 'shop' | 'page'>, script: string): Promise<void> {
  await page.addInitScript(() => {
    Reflect.get(window, 'trustedTypes').createPolicy('default', { createScriptURL: (url: string) => url })
  })
  shop.at(path, () => ({ body: script, headers: { 'Content-Type': 'text/javascript' } }))
}

/** Payment settings of a page with card fields, as the server prints them. */
export const cardPageSettings = (shop: FixtureShop, over: object = {}) => ({
  wcPPCPSettings: {
    generalData: { clientId: 'sb', page: 'checkout', restRoutes: {}, ajaxRestPath: '', sdkUrl: `${shop.url}${path}` },
    queryParams: { currency: 'USD' },
    errorMessages: {},
    ppcp_data: {},
    payLaterMessage: { checkout: { enabled: false } },
    ppcp_card_data: {
      fields: {
        nameField: { placeholder: '' },
        numberField: { placeholder: '' },
        expiryField: { placeholder: '' },
        cvvField: { placeholder: '' },
      },
      styles: {},
      icons: { visa: '/visa.svg' },
      i18n: {
        error_codes: { INVALID_NUMBER: 'A wrong number', INVALID_CVV: 'A wrong code' },
        unavailable: 'No cards now, choose another method',
        unavailable_alone: 'No cards now',
        slow: 'This takes long',
      },
      ...over,
    },
  },
})

type Told = { field: CardField; event: 'Change' | 'Focus' | 'Blur'; brand?: string } & Partial<CardFieldState>

/** Raises an event of a field, as the provider's script does. */
export function raise(page: Page, { field, event, brand, isEmpty = false, isValid = true }: Told): Promise<void> {
  return page.evaluate(
    ({ field, event, cards, state }) => {
      const key = `card${field[0]?.toUpperCase()}${field.slice(1)}Field`
      Reflect.get(window, 'fake').options.inputEvents[`on${event}`]({
        emittedBy: field,
        cards,
        fields: { [key]: state },
      })
    },
    { field, event, cards: brand ? [{ type: brand }] : [], state: { isEmpty, isValid } },
  )
}

/** Returns the orders that the page gave to the fields since the last call. */
export const toldFields = (page: Page): Promise<unknown[][]> =>
  page.evaluate(() => Reflect.get(window, 'fake').told.splice(0))
