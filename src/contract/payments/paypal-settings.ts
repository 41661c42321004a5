import { z } from 'zod'
import { type Funding, fundings } from '#domain/payments/funding-sources.ts'
import { message } from '#domain/translation/message.ts'

const yesNo = z.boolean()
const shape = z.enum(['rect', 'pill', 'sharp']).default('rect')
const label = z.string().default('paypal')
const height = z.number().int().min(25).max(55).default(48)
/** Pages: product, cart, minicart, checkout, express, order_pay, add_payment_method. */
const sections = z.array(z.string())

/** A button beside the wallet's own. Off by default: PayPal permits each by country and currency. */
const furtherButton = { sections: sections.default([]), shape, label, height, tagline: yesNo.default(false) }

const payLaterMessage = {
  enabled: yesNo.default(false),
  layout: z.enum(['text', 'flex']).default('text'),
  logo: z.enum(['primary', 'alternative', 'inline', 'none']).default('inline'),
  logoPosition: z.enum(['left', 'right', 'top']).default('left'),
  textColor: z.enum(['black', 'white', 'monochrome', 'grayscale']).default('black'),
  textSize: z.number().int().min(10).max(16).default(13),
  align: z.enum(['left', 'center', 'right']).default('left'),
  color: z
    .enum(['blue', 'black', 'white', 'white-no-border', 'gray', 'monochrome', 'grayscale'])
    .default('blue')
    .describe('color of a banner (layout flex)'),
  ratio: z.enum(['1x1', '1x4', '8x1', '20x1']).default('8x1').describe('aspect ratio of a banner'),
}

/** 3D Secure result of a card, as `<enrolled>_<authenticated>_<liability>`, with empty parts where unknown. */
const threeDSecureKey = z.string().regex(/^[YNUB]?_[YNRAUCDI]?_(POSSIBLE|YES|NO|UNKNOWN)?$/)

/** Cards without a wallet, entered in PayPal's fields. */
const cardFields = z.object({
  enabled: yesNo.default(false),
  title: z.string().default(message('Credit or debit card')),
  description: z.string().default(''),
  nameField: yesNo.default(true).describe('requests the cardholder name'),
  nameRequired: yesNo.default(false),
  placeholders: z
    .object({
      name: z.string().default(''),
      number: z.string().default('0000 0000 0000 0000'),
      expiry: z.string().default('MM/YY'),
      cvv: z.string().default('123'),
    })
    .prefault({}),
  styles: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe('CSS of the fields by selector, in the notation of the payment script'),
  keep: yesNo.default(false).describe('customers may save a card'),
  threeDSecure: z
    .object({
      request: z.enum(['SCA_WHEN_REQUIRED', 'SCA_ALWAYS']).default('SCA_WHEN_REQUIRED'),
      decisions: z
        .record(threeDSecureKey, z.enum(['continue', 'reject', 'retry']))
        .default({})
        .describe('overrides of the default decision by 3D Secure result'),
    })
    .prefault({}),
})

/** Accelerated checkout for guests: PayPal recognizes a card by the email address. */
const fastlane = z.object({
  enabled: yesNo.default(false),
  flow: z
    .enum(['email_detection', 'express_button'])
    .default('email_detection')
    .describe('looks up the email while typing, or when a button is pressed'),
  pageload: yesNo.default(false).describe('looks up an email present on page load'),
  paymentFormat: z
    .string()
    .default('{brand} ending in {last4}')
    .describe('card label with the placeholders {brand}, {last4}, {expiry} and {name}'),
  signUp: yesNo.default(true).describe('shows a sign-up link to unknown guests'),
  cardholderName: yesNo.default(false),
})

/** Settings of payments through PayPal and of its buttons and messages. */
export const paypalSettings = z.object({
  enabled: yesNo.default(true),
  intent: z
    .enum(['capture', 'authorize'])
    .default('capture')
    .describe('captures with the order, or authorizes until the merchant captures'),
  keep: yesNo.default(false).describe('customers may save their wallet'),
  useWalletAddress: yesNo.default(true).describe('fills the checkout with the address of the wallet'),
  validateFirst: yesNo.default(true).describe('checks the form before the wallet opens'),
  shippingCallback: z
    .enum(['auto', 'browser', 'server'])
    .default('auto')
    .describe('source of shipping updates: the page, or the shipping callback of PayPal (needs https)'),
  expressElement: z.string().max(200).default('').describe('CSS selector of a custom container for the express button'),
  cards: cardFields.prefault({}),
  fastlane: fastlane.prefault({}),
  sections: sections.default(['product', 'cart', 'checkout']).describe('pages with a PayPal button'),
  buttonsOrder: z.array(z.enum(fundings)).default([...fundings]),
  buttonPlacement: z.enum(['place_order', 'payment_method']).default('place_order'),
  productButtonWidth: z.enum(['full', 'add_to_cart']).default('full'),
  style: z
    .object({
      layout: z.enum(['vertical', 'horizontal']).default('vertical'),
      color: z.enum(['gold', 'blue', 'silver', 'black', 'white']).default('gold'),
      shape,
      label,
      height,
    })
    .prefault({}),
  payLater: z
    .object({ ...furtherButton, color: z.enum(['white', 'black', 'gold', 'blue', 'silver']).default('white') })
    .prefault({}),
  card: z.object({ ...furtherButton, color: z.enum(['black', 'white']).default('black') }).prefault({}),
  venmo: z
    .object({ ...furtherButton, color: z.enum(['blue', 'silver', 'black', 'white']).default('blue') })
    .prefault({}),
  /** Pay Later messages beside prices. */
  messages: z
    .object({
      cart: z
        .object({ ...payLaterMessage, location: z.enum(['shop_table', 'above_button']).default('shop_table') })
        .prefault({}),
      checkout: z
        .object({ ...payLaterMessage, location: z.enum(['shop_table', 'above_button']).default('shop_table') })
        .prefault({}),
      minicart: z
        .object({ ...payLaterMessage, location: z.enum(['cart_total', 'checkout']).default('cart_total') })
        .prefault({}),
      product: z.object(payLaterMessage).prefault({}),
      shop: z
        .object({
          ...payLaterMessage,
          location: z.enum(['below_price', 'below_button']).default('below_price'),
          productTypes: z.array(z.string()).default(['simple', 'variable']),
        })
        .prefault({}),
    })
    .prefault({}),
})

export type PayPalButtons = z.infer<typeof paypalSettings>
export type PayPalMessage = PayPalButtons['messages']['product']

/** Returns the pages of each button. */
export function walletSections({
  keep,
  sections,
  payLater,
  card,
  venmo,
}: PayPalButtons): Record<Funding, readonly string[]> {
  // A wallet that may be saved with a payment may be saved without one.
  const keeps = keep && sections.includes('checkout') && !sections.includes('add_payment_method')
  return {
    paypal: [...withOrderPay(sections), ...(keeps ? ['add_payment_method'] : [])],
    paylater: withOrderPay(payLater.sections),
    card: withOrderPay(card.sections),
    venmo: withOrderPay(venmo.sections),
  }
}

/** Adds the order-pay page: methods of the checkout pay existing orders as well. */
function withOrderPay(pages: readonly string[]): readonly string[] {
  return pages.includes('checkout') ? [...new Set([...pages, 'order_pay'])] : pages
}
