import { z } from 'zod'
import { type Funding, fundings } from '#domain/payments/funding-sources.ts'
import { message } from '#domain/translation/message.ts'

const yesNo = z.boolean()
const shape = z.enum(['rect', 'pill', 'sharp']).default('rect')
const label = z.string().default('paypal')
const height = z.number().int().min(25).max(55).default(48)
/** Pages: product, cart, minicart, checkout, express, order_pay, add_payment_method. */
const sections = z.array(z.string())

/** A button beside the wallet's own. Off until pages are named: each asks the provider's permission by country and currency. */
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
    .describe('of a banner, which is the layout flex'),
  ratio: z.enum(['1x1', '1x4', '8x1', '20x1']).default('8x1').describe('of a banner'),
}

/** What a card's bank may have said, as `<enrolled>_<authenticated>_<liability>`, empty where it said nothing. */
const threeDSecureKey = z.string().regex(/^[YNUB]?_[YNRAUCDI]?_(POSSIBLE|YES|NO|UNKNOWN)?$/)

/** Cards without a wallet, typed into fields of the provider's. */
const cardFields = z.object({
  enabled: yesNo.default(false),
  title: z.string().default(message('Credit or debit card')),
  description: z.string().default(''),
  nameField: yesNo.default(true).describe('asks for the name on the card'),
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
    .describe('CSS of the fields by selector, in the words of the payment script'),
  keep: yesNo.default(false).describe('customers may keep a card for the next time'),
  threeDSecure: z
    .object({
      request: z.enum(['SCA_WHEN_REQUIRED', 'SCA_ALWAYS']).default('SCA_WHEN_REQUIRED'),
      decisions: z
        .record(threeDSecureKey, z.enum(['continue', 'reject', 'retry']))
        .default({})
        .describe('what differs from the usual answer to what the bank said'),
    })
    .prefault({}),
})

/** Accelerated checkout for guests: a card that the provider knows by the e-mail address. */
const fastlane = z.object({
  enabled: yesNo.default(false),
  flow: z
    .enum(['email_detection', 'express_button'])
    .default('email_detection')
    .describe('looks the address up as it is typed, or when a button is pressed'),
  pageload: yesNo.default(false).describe('looks up an address that is there when the page loads'),
  paymentFormat: z
    .string()
    .default('{brand} ending in {last4}')
    .describe('how a card is named; {brand}, {last4}, {expiry} and {name} stand for its parts'),
  signUp: yesNo.default(true).describe('shows a link to those who are not known'),
  cardholderName: yesNo.default(false),
})

/** How the shop is paid through PayPal, and what of it shows where. */
export const paypalSettings = z.object({
  enabled: yesNo.default(true),
  intent: z
    .enum(['capture', 'authorize'])
    .default('capture')
    .describe('takes the money with the order, or holds it until the merchant takes it'),
  keep: yesNo.default(false).describe('customers may keep their wallet for the next time'),
  useWalletAddress: yesNo.default(true).describe('fills the checkout with the address that the wallet gives'),
  validateFirst: yesNo.default(true).describe('checks the form before the wallet opens'),
  shippingCallback: z
    .enum(['auto', 'browser', 'server'])
    .default('auto')
    .describe('who asks the shop what another address costs: the page, or the provider itself (needs https)'),
  expressElement: z
    .string()
    .max(200)
    .default('')
    .describe('CSS selector of a place of your own for the express button'),
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
  /** What paying later would cost, told where a shopper looks at prices. */
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

/** The pages on which each button stands. */
export function walletSections({
  keep,
  sections,
  payLater,
  card,
  venmo,
}: PayPalButtons): Record<Funding, readonly string[]> {
  // A wallet that may be kept with a payment may be kept without one.
  const keeps = keep && sections.includes('checkout') && !sections.includes('add_payment_method')
  return {
    paypal: [...withOrderPay(sections), ...(keeps ? ['add_payment_method'] : [])],
    paylater: withOrderPay(payLater.sections),
    card: withOrderPay(card.sections),
    venmo: withOrderPay(venmo.sections),
  }
}

/** What pays at the checkout pays an order that was placed before as well. */
function withOrderPay(pages: readonly string[]): readonly string[] {
  return pages.includes('checkout') ? [...new Set([...pages, 'order_pay'])] : pages
}
