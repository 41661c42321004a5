import { z } from 'zod'
import { fundings } from '#domain/payments/funding-sources.ts'
import { walletPages } from './constants.ts'

/** Values are strings, also where they mean yes or no: they become parameters of an address. */
const text = z.string()

const buttonStyle = z.object({
  layout: z.enum(['vertical', 'horizontal']),
  label: text,
  shape: z.enum(['rect', 'pill', 'sharp']),
  /** Pixels. Of the card button this may be a text that begins with the number. */
  height: z.union([z.number().int().min(25).max(55), z.string().regex(/^\d+/)]),
  color: z.enum(['gold', 'blue', 'silver', 'black', 'white']),
  tagline: z.boolean(),
})

/** As the provider's script takes it; what it does not know falls back there. */
const messageStyle = z.object({
  layout: z.enum(['text', 'flex']),
  logo: z.object({ type: text, position: text }),
  text: z.object({ color: text, size: z.number(), align: text }),
  color: text,
  ratio: text,
})
const messageSettings = z.object({ enabled: z.boolean(), style: messageStyle })

/** A product of a listing, as its pay-later message is about it. */
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
  /** CSS by selector, in the words of the payment script. */
  styles: z.record(text, z.record(text, text)),
  cardNameRequired: z.boolean(),
  canKeep: z.boolean(),
  needsSetupToken: z.boolean(),
  i18n: z.object({
    /** By the script's code: INVALID_NUMBER, INVALID_EXPIRY, INVALID_CVV, INVALID_NAME … */
    error_codes: z.record(text, text),
    incomplete_card_form: text,
    unavailable: text,
    /** The same where there is no other way to pay. */
    unavailable_alone: text,
    /** The fields are still to come. */
    slow: text,
    email_empty: text,
    email_invalid: text,
  }),
  fastlane_enabled: z.boolean(),
  fastlane_flow: z.enum(['email_detection', 'express_button']),
  /** '1': an address that is there when the page loads is looked up. */
  fastlane_pageload: text,
  fastlane_signup: z.boolean(),
  fastlane_cardholder_name: z.boolean(),
  payment_format: text,
  /** Templates, rendered by the server. */
  html: z.object({ modal: text, tokenized_card: text }),
  /** Address of an image by the brand in lower case. */
  icons: z.record(text, text),
})

export type CardSettings = z.infer<typeof cardSettings>

/**
 * The global `wcPPCPSettings`. On pages that are cached for everybody it holds nothing of the visitor: no nonce, and
 * `cart` is left out; both come with `cart/refresh` there.
 */
export const paymentSettings = z.object({
  /** Parameters of the payment script; those named `data-…` become attributes of its element. */
  queryParams: z.record(text, text),
  generalData: z.object({
    /** Empty: not connected, and nothing of the payment code runs. */
    clientId: text,
    environment: z.enum(['sandbox', 'production']),
    page: z.enum(walletPages),
    version: text,
    /** By route: `cart/order`. */
    restRoutes: z.record(text, z.object({ url: text })),
    /** For routes that are not listed; `%s` stands for the route. */
    ajaxRestPath: text,
    /** Where the payment script is; the provider's own address when left out. */
    sdkUrl: text.optional(),
    /** Nonce of the page's policy, for what the payment script creates. */
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
      /** Nothing is due, and the cart holds something that needs a kept way to pay. */
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
      /** Of each variation, by id: where the page shows another currency than the one that is charged. */
      prices: z.record(text, text).optional(),
    })
    .optional(),
  ppcp_data: z.object({
    title: text,
    /** Pages that any of the buttons stands on. */
    sections: z.array(text),
    funding: z.array(z.enum(fundings)),
    paypal_sections: z.array(text),
    paylater_sections: z.array(text),
    credit_card_sections: z.array(text),
    venmo_sections: z.array(text),
    buttons_order: z.array(text),
    buttonPlacement: z.enum(['place_order', 'payment_method']),
    buttons: z.record(z.enum(fundings), buttonStyle),
    /** `add_to_cart`: the buttons are as wide as the quantity and the button beside it. */
    product: z.object({ button_width: z.enum(['full', 'add_to_cart']) }),
    paypalAddressDisabled: z.boolean(),
    checkoutValidationEnabled: z.boolean(),
    /** Nothing is due now, and the means is kept for later: the button saves it instead of charging it. */
    needsSetupToken: z.boolean(),
    /** The page's customer may keep the means. */
    canKeep: z.boolean(),
    /** CSS selector of the express button's place, where the page's author has made one. */
    expressElement: text,
    placeOrderEnabled: z.boolean(),
    /** Whether the page is asked when the buyer changes where or how it is sent; else the provider asks the shop itself. */
    shippingCallback: z.boolean().optional(),
  }),
  /** Cards without a wallet; left out where they are not offered. */
  ppcp_card_data: cardSettings.optional(),
  /** The order that an order-pay page is about. */
  order: z.object({ order_id: z.number().int(), order_key: text, currency: text, total: text }).optional(),
  /** Customers of the shop have no use for accelerated checkout. */
  isLoggedIn: z.boolean().optional(),
  payLaterMessage: z.object({
    /** The containers are in the page already, put there by its author. */
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

/** The shared client id of the provider's sandbox. */
const sandboxClientId = 'sb'

/** The client id that pages use: in the sandbox, and only there, an empty one falls back to the shared one. */
export function effectiveClientId(clientId: string, environment: 'sandbox' | 'production'): string {
  return clientId === '' && environment === 'sandbox' ? sandboxClientId : clientId
}
