import { z } from 'zod'
import { fundings } from '#domain/payments/funding-sources.ts'
import { walletPages } from './constants.ts'

/** Values are strings, also for yes or no: they become query parameters. */
const text = z.string()

const buttonStyle = z.object({
  layout: z.enum(['vertical', 'horizontal']),
  label: text,
  shape: z.enum(['rect', 'pill', 'sharp']),
  /** Pixels. The card button also accepts a text that begins with the number. */
  height: z.union([z.number().int().min(25).max(55), z.string().regex(/^\d+/)]),
  color: z.enum(['gold', 'blue', 'silver', 'black', 'white']),
  tagline: z.boolean(),
})

/** Style of PayPal's message script; unknown values fall back there. */
const messageStyle = z.object({
  layout: z.enum(['text', 'flex']),
  logo: z.object({ type: text, position: text }),
  text: z.object({ color: text, size: z.number(), align: text }),
  color: text,
  ratio: text,
})
const messageSettings = z.object({ enabled: z.boolean(), style: messageStyle })

/** A product of a listing, for its Pay Later message. */
const listedProduct = z.object({
  id: z.number().int(),
  product_type: text,
  /** Decimal text; the lowest where there is a range. */
  total: text,
})

const field = z.object({ placeholder: text })

/** Cards without a wallet, and accelerated checkout on top of them. */
const cardSettings = z.object({
  title: text,
  fields: z.object({ nameField: field.optional(), numberField: field, cvvField: field, expiryField: field }),
  /** CSS by selector, in the payment script's notation. */
  styles: z.record(text, z.record(text, text)),
  cardNameRequired: z.boolean(),
  canKeep: z.boolean(),
  needsSetupToken: z.boolean(),
  i18n: z.object({
    /** By the script's code: INVALID_NUMBER, INVALID_EXPIRY, INVALID_CVV, INVALID_NAME … */
    error_codes: z.record(text, text),
    incomplete_card_form: text,
    unavailable: text,
    /** Message without another payment method. */
    unavailable_alone: text,
    /** The fields are still loading. */
    slow: text,
    email_empty: text,
    email_invalid: text,
  }),
  fastlane_enabled: z.boolean(),
  fastlane_flow: z.enum(['email_detection', 'express_button']),
  /** '1': an email present on page load is looked up. */
  fastlane_pageload: text,
  fastlane_signup: z.boolean(),
  fastlane_cardholder_name: z.boolean(),
  payment_format: text,
  /** Templates, rendered by the server. */
  html: z.object({ modal: text, tokenized_card: text }),
  /** Image URL by lower-case brand. */
  icons: z.record(text, text),
})

export type CardSettings = z.infer<typeof cardSettings>

/**
 * The global `wcPPCPSettings`. On shared cached pages it has no data of the visitor: no nonce and no `cart`; both come
 * with `cart/refresh` there.
 */
export const paymentSettings = z.object({
  /** Parameters of the payment script; those named `data-…` become attributes of its element. */
  queryParams: z.record(text, text),
  generalData: z.object({
    /** Empty: not connected, and the payment code does not run. */
    clientId: text,
    environment: z.enum(['sandbox', 'production']),
    page: z.enum(walletPages),
    version: text,
    /** By route: `cart/order`. */
    restRoutes: z.record(text, z.object({ url: text })),
    /** For routes that are not listed; `%s` is the route. */
    ajaxRestPath: text,
    /** URL of the payment script; PayPal's own when missing. */
    sdkUrl: text.optional(),
    /** CSP nonce, for elements that the payment script creates. */
    cspNonce: text.optional(),
    /** `X-WP-Nonce`, on pages of one visitor only. */
    restNonce: text.optional(),
  }),
  cart: z
    .object({
      /** Decimal text in the cart's currency. */
      total: text,
      totalCents: z.number().int(),
      currency: text,
      needsShipping: z.boolean(),
      isEmpty: z.boolean(),
      countryCode: text,
      /** Nothing is due, and a product requires a saved payment method. */
      needsSetupToken: z.boolean().optional(),
    })
    .optional(),
  product: z
    .object({
      id: z.number().int(),
      needsShipping: z.boolean(),
      total: text,
      price: text,
      currency: text,
      /** By variation id: where the page shows another currency than the charged one. */
      prices: z.record(text, text).optional(),
    })
    .optional(),
  ppcp_data: z.object({
    title: text,
    /** Pages with any of the buttons. */
    sections: z.array(text),
    funding: z.array(z.enum(fundings)),
    paypal_sections: z.array(text),
    paylater_sections: z.array(text),
    credit_card_sections: z.array(text),
    venmo_sections: z.array(text),
    buttons_order: z.array(text),
    buttonPlacement: z.enum(['place_order', 'payment_method']),
    buttons: z.record(z.enum(fundings), buttonStyle),
    /** `add_to_cart`: the buttons are as wide as quantity and button together. */
    product: z.object({ button_width: z.enum(['full', 'add_to_cart']) }),
    paypalAddressDisabled: z.boolean(),
    checkoutValidationEnabled: z.boolean(),
    /** Nothing is due now: the button saves the payment method instead of charging it. */
    needsSetupToken: z.boolean(),
    /** The page's customer may save the payment method. */
    canKeep: z.boolean(),
    /** CSS selector of the express button's container, where the page's author defined one. */
    expressElement: text,
    placeOrderEnabled: z.boolean(),
    /** True: the page handles changes of address and option; false: PayPal calls the shop's shipping callback. */
    shippingCallback: z.boolean().optional(),
  }),
  /** Cards without a wallet; missing where they are not offered. */
  ppcp_card_data: cardSettings.optional(),
  /** The order of an order-pay page. */
  order: z.object({ order_id: z.number().int(), order_key: text, currency: text, total: text }).optional(),
  /** Accelerated checkout is for guests only. */
  isLoggedIn: z.boolean().optional(),
  payLaterMessage: z.object({
    /** The page's author has placed the containers. */
    isShortcode: z.boolean(),
    cartLocation: z.enum(['shop_table', 'above_button']),
    checkoutLocation: z.enum(['shop_table', 'above_button']),
    miniCartLocation: z.enum(['cart_total', 'checkout']),
    cart: messageSettings,
    checkout: messageSettings,
    minicart: messageSettings,
    product: messageSettings,
    shop: messageSettings.extend({
      msgLocation: z.enum(['below_price', 'below_button']),
      product_types: z.array(text),
      products: z.array(listedProduct),
    }),
  }),
  /** Message by error code. */
  errorMessages: z.record(text, text),
  i18n: z.object({ locale: text, locale_fields: z.record(text, z.unknown()) }),
})

export type PaymentSettings = z.infer<typeof paymentSettings>
export type WalletButtonStyle = z.infer<typeof buttonStyle>
export type MessageStyle = z.infer<typeof messageStyle>
export type MessageLocation = 'cart' | 'checkout' | 'minicart' | 'product' | 'shop'
export type ListedProduct = z.infer<typeof listedProduct>

/** Shared client id of PayPal's sandbox. */
const sandboxClientId = 'sb'

/** Returns the client id for pages: only in the sandbox an empty one falls back to the shared one. */
export function effectiveClientId(clientId: string, environment: 'sandbox' | 'production'): string {
  return clientId === '' && environment === 'sandbox' ? sandboxClientId : clientId
}
