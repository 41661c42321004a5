import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/settings.ts'
import type { Application } from './application.ts'
import { type OwnSettings, type Saying, scriptSettings } from './script-settings.ts'

type Shown = { settings?: object; saying?: Saying; own?: OwnSettings | null; page?: 'listing' | 'account' }

/** Words of the shop, as one context of it says them. */
const words = (viewCart = 'View cart'): Saying => ({
  t: (original) => (original === 'View cart' ? viewCart : original),
  path: (path) => path,
})

/** What a page prints of a shop with these settings. Proof of the cast: no more of an application is read where no provider is. */
function aPrinter(settings: object = {}) {
  const app = {
    tools: { settings: shopSettings.parse(settings), publicUrl: 'https://shop.example.test' },
    language: { tag: 'en-US', slug: '' },
    provider: null,
    ownCurrency: 'USD',
    currencies: () => [],
  }
  return {
    app,
    print: ({ saying = words(), own = null, page = 'listing' }: Shown) =>
      scriptSettings(app as unknown as Application, page, saying, own) as Record<string, Record<string, unknown>>,
  }
}

describe('settings that pages print for scripts', () => {
  it('are the same objects on pages for everybody, which is how they are written once', () => {
    const { print } = aPrinter()
    const saying = words()
    const first = print({ saying })
    const second = print({ saying })
    expect(second).toEqual(first)
    for (const [name, value] of Object.entries(second)) {
      expect(value, name).toBe(first[name])
      expect(Object.isFrozen(value), name).toBe(true)
    }
  })

  it('are others with other words, on another kind of page, and once the settings have changed', () => {
    const { app, print } = aPrinter()
    const saying = words()
    expect(print({ saying }).wc_add_to_cart_params).toMatchObject({ i18n_view_cart: 'View cart' })
    expect(print({ saying: words('To the cart') }).wc_add_to_cart_params).toMatchObject({
      i18n_view_cart: 'To the cart',
    })
    expect(print({ saying }).wc_password_strength_meter_params).toBeUndefined()
    expect(print({ saying, page: 'account' }).wc_password_strength_meter_params).toBeDefined()
    app.tools.settings = shopSettings.parse({ redirectAfterAdd: true })
    expect(print({ saying }).wc_add_to_cart_params).toMatchObject({ cart_redirect_after_add: 'yes' })
  })

  it('are made anew for a page of one visitor', () => {
    const { print } = aPrinter()
    const saying = words()
    const own = { nonces: {}, cspNonce: '' }
    print({ saying, own, page: 'account' })
    const plain = print({ saying, page: 'account' })
    const private_ = print({ saying, own, page: 'account' })
    expect(private_.woocommerce_params).not.toBe(plain.woocommerce_params)
    expect(Object.isFrozen(private_.woocommerce_params)).toBe(false)
  })
})
