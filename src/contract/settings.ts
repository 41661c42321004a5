import { z } from 'zod'

const yesNo = z.boolean()
const languageTag = z.string().refine(isLanguageTag, 'must be a language tag like en-US')

/** What the merchant decides about the shop. Stored as one row per key of the `settings` table; defaults are here alone. */
export const shopSettings = z.object({
  name: z.string().default('Vitrine'),
  tagline: z.string().default(''),
  email: z.string().default('shop@example.test'),
  language: languageTag.default('en-US'),
  timeZone: z.string().default('UTC'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code like USD')
    .default('USD'),
  priceFormat: z
    .object({
      position: z.enum(['left', 'right', 'left_space', 'right_space']).default('left'),
      decimals: z.number().int().min(0).max(4).default(2),
      decimalSeparator: z.string().default('.'),
      thousandSeparator: z.string().default(','),
    })
    .prefault({}),
  base: z.object({ country: z.string().default('US'), state: z.string().default('CA') }).prefault({}),
  sellTo: z.array(z.string()).default([]).describe('country codes; empty: everywhere'),
  defaultLocation: z.enum(['none', 'base']).default('base'),
  taxes: z
    .object({
      enabled: yesNo.default(true),
      pricesIncludeTax: yesNo.default(false),
      roundAtSubtotal: yesNo.default(false),
      basedOn: z.enum(['shipping', 'billing', 'base']).default('shipping'),
      displayShop: z.enum(['incl', 'excl']).default('excl'),
      displayCart: z.enum(['incl', 'excl']).default('excl'),
      itemised: yesNo.default(true),
    })
    .prefault({}),
  couponsEnabled: yesNo.default(true),
  productsPerPage: z.number().int().min(1).max(100).default(24),
  redirectAfterAdd: yesNo.default(false),
  ajaxAdd: yesNo.default(true),
  hideOutOfStock: yesNo.default(false),
  lowStockAmount: z.number().int().default(2),
  stockFormat: z.enum(['always', 'low', 'never']).default('low'),
  orderPrefix: z.string().max(20).default('V-').describe('begins the invoice ids that the provider sees'),
  holdStockMinutes: z.number().int().default(30),
  termsPage: yesNo.default(true),
  cashOnDelivery: yesNo.default(true),
  remoteImages: yesNo.default(false).describe('whether the product import may fetch pictures over the network'),
  paypal: z
    .object({
      enabled: yesNo.default(true),
      sections: z.array(z.string()).default(['product', 'cart', 'checkout']),
      buttonPlacement: z.enum(['place_order', 'payment_method']).default('place_order'),
      style: z
        .object({
          layout: z.enum(['vertical', 'horizontal']).default('vertical'),
          color: z.enum(['gold', 'blue', 'silver', 'black', 'white']).default('gold'),
          shape: z.enum(['rect', 'pill', 'sharp']).default('rect'),
          label: z.string().default('paypal'),
          height: z.number().int().min(25).max(55).default(48),
        })
        .prefault({}),
    })
    .prefault({}),
  home: z
    .object({
      title: z.string().default(''),
      text: z.string().default(''),
      link: z
        .object({ text: z.string(), url: z.string().startsWith('/') })
        .nullable()
        .default(null),
      /** A picture that was imported, as pages show it. */
      image: z
        .object({
          hash: z.string(),
          width: z.number(),
          height: z.number(),
          alt: z.string(),
          placeholder: z.string(),
          widths: z.array(z.number()),
        })
        .nullable()
        .default(null),
    })
    .prefault({}),
  mail: z
    .object({
      from: z.string().default('shop@example.test'),
      smtpUrl: z.string().default('').describe('smtp://…; empty: messages are files in the outbox folder'),
    })
    .prefault({}),
})

export type ShopSettings = z.infer<typeof shopSettings>

function isLanguageTag(text: string): boolean {
  try {
    return new Intl.Locale(text).language !== ''
  } catch {
    return false
  }
}
