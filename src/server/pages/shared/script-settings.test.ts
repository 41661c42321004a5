import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { Application } from '../../operations/startup/application.ts'
import type { OwnSettings, PaymentFacts, Saying, ScriptPage } from './script-page.ts'
import { scriptSettings } from './script-settings.ts'

type Shown = { settings?: object; saying?: Saying; own?: OwnSettings | null; page?: ScriptPage; payment?: PaymentFacts }

/** The texts of one shop context. */
const words = (viewCart = 'View cart'): Saying => ({
  t: (original) => (original === 'View cart' ? viewCart : original),
  path: (path) => path,
})

/** Creates a printer of settings. The cast is safe: without a provider it reads nothing else of an application. */
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
    print: ({ saying = words(), own = null, page = 'listing', payment = {} }: Shown) =>
      scriptSettings(app as unknown as Application, page, saying, own, payment) as Record<
        string,
        Record<string, unknown>
      >,
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

  it('lead customers to their orders where it is not known what became of one', () => {
    const { print } = aPrinter()
    const said = (isLoggedIn: boolean) =>
      print({ page: 'checkout', own: { nonces: {}, cspNonce: '' }, payment: { isLoggedIn } }).wc_checkout_params
        ?.i18n_checkout_error
    expect(said(true)).toBe(`${said(false)} <a href="/my-account/orders/">All orders</a>`)
  })

  it('§1.3 name what the gallery does, and its options, as scripts of galleries ask for them', () => {
    const { print } = aPrinter()
    expect(print({ page: 'listing' }).wc_single_product_params).toBeUndefined()
    expect(print({ page: 'product' }).wc_single_product_params).toEqual({
      i18n_required_rating_text: '',
      i18n_rating_options: Array(5).fill('Rated %s out of 5'),
      review_rating_required: 'no',
      flexslider: {
        animation: 'slide',
        animationLoop: false,
        animationSpeed: 500,
        allowOneSlide: false,
        controlNav: 'thumbnails',
        directionNav: false,
        rtl: false,
        slideshow: false,
        smoothHeight: true,
      },
      flexslider_enabled: '1',
      zoom_enabled: '1',
      zoom_options: {},
      photoswipe_enabled: '1',
      photoswipe_options: {
        closeOnScroll: false,
        hideAnimationDuration: 0,
        history: false,
        shareEl: false,
        showAnimationDuration: 0,
      },
    })
  })

  it('hold the words of password meters where passwords are chosen', () => {
    const { print } = aPrinter()
    expect([print({ page: 'product' }).pwsL10n, print({ page: 'cart' })._zxcvbnSettings]).toEqual([
      undefined,
      undefined,
    ])
    for (const page of ['account', 'checkout'] as const) {
      expect(print({ page }).pwsL10n).toEqual({
        unknown: 'Unknown',
        short: 'Very weak',
        bad: 'Weak',
        good: 'Good',
        strong: 'Strong',
        mismatch: 'Passwords do not match.',
      })
      expect(print({ page })._zxcvbnSettings).toEqual({ src: '' })
    }
  })

  it('tell forms of saved means whether there is an account to save them in', () => {
    const own = { nonces: {}, cspNonce: '' }
    const told = (page: ScriptPage, isLoggedIn?: boolean, guestCheckout = true) =>
      aPrinter({ accounts: { guestCheckout } }).print({
        page,
        own,
        payment: isLoggedIn === undefined ? {} : { isLoggedIn },
      })
    const form = 'wc_tokenization_form_params'
    expect(told('checkout', false)[form]).toEqual({ is_registration_required: '', is_logged_in: '' })
    expect(told('checkout', true)[form]).toEqual({ is_registration_required: '', is_logged_in: '1' })
    expect(told('checkout', false, false)[form]).toEqual({ is_registration_required: '1', is_logged_in: '' })
    const adding = told('add_payment_method')
    expect(adding[form]).toEqual({ is_registration_required: '', is_logged_in: '1' })
    expect(adding.wc_add_payment_method_params).toEqual({ gateways_with_custom_place_order_button: [] })
    expect(told('cart')[form]).toBeUndefined()
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
