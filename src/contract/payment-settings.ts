import { z } from 'zod'
import { walletPages } from './payment-words.ts'

/** Values are strings, also where they mean yes or no: they become parameters of an address. */
const text = z.string()

const buttonStyle = z.object({
  layout: z.enum(['vertical', 'horizontal']),
  label: text,
  shape: z.enum(['rect', 'pill', 'sharp']),
  height: z.number().int().min(25).max(55),
  color: z.enum(['gold', 'blue', 'silver', 'black', 'white']),
  tagline: z.boolean(),
})

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
    })
    .optional(),
  product: z
    .object({ id: z.number().int(), needsShipping: z.boolean(), total: text, price: text, currency: text })
    .optional(),
  ppcp_data: z.object({
    title: text,
    /** Pages that the buttons stand on. */
    sections: z.array(text),
    funding: z.array(z.enum(['paypal', 'paylater', 'card', 'venmo'])),
    buttons_order: z.array(text),
    buttonPlacement: z.enum(['place_order', 'payment_method']),
    buttons: z.object({ paypal: buttonStyle }),
    paypalAddressDisabled: z.boolean(),
    checkoutValidationEnabled: z.boolean(),
    needsSetupToken: z.boolean(),
  }),
  /** Message by error code. */
  errorMessages: z.record(text, text),
  i18n: z.object({ locale: text, locale_fields: z.record(text, z.unknown()) }),
})

export type PaymentSettings = z.infer<typeof paymentSettings>
export type WalletButtonStyle = z.infer<typeof buttonStyle>

/** The shared client id of the provider's sandbox. */
const sandboxClientId = 'sb'

/** The client id that pages use: in the sandbox, and only there, an empty one falls back to the shared one. */
export function effectiveClientId(clientId: string, environment: 'sandbox' | 'production'): string {
  return clientId === '' && environment === 'sandbox' ? sandboxClientId : clientId
}
