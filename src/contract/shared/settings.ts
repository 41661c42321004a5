import { z } from 'zod'
import { addressFieldsSetting, defaultLocationSetting, sellToSetting, shipToSetting } from '../addresses/settings.ts'
import { homeSettings } from '../content/home-settings.ts'
import { menuSettings } from '../content/menu-settings.ts'
import { findabilitySettings } from '../content/seo-settings.ts'
import { currenciesSetting, exchangeSettings } from '../currency/settings.ts'
import { slugOf } from '../import/product-csv-cells.ts'
import { mailSettings } from '../mail/settings.ts'
import { storeNoticeSettings } from '../notices/store-notice-settings.ts'
import { staffSettings } from '../operations/staff-settings.ts'
import { paymentMethodsSettings } from '../payments/method-settings.ts'
import { paypalSettings } from '../payments/paypal-settings.ts'
import { attributionSettings, consentSettings, statisticsSettings } from '../statistics/settings.ts'
import { themeSettings } from '../theme/settings.ts'
import { languagesSetting, languageTag, translationSettings } from '../translation/language-settings.ts'

const yesNo = z.boolean()

/** A figure in whole currency or percent in its written form; a number literal has its shortest text. */
const decimal = z
  .union([z.string(), z.number()])
  .transform((given) => String(given).trim())
  .refine((text) => /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text), 'must be a number like 2.50')

const notNegative = decimal.refine((text) => !text.startsWith('-'), 'must not be negative')

/** By its slug or name; the standard one has neither. */
const taxClass = z.string().transform((text) => (slugOf(text) === 'standard' ? '' : slugOf(text)))

/** A fee or a discount of the order, under conditions. All given conditions must hold. */
const feeSetting = z
  .object({
    name: z.string().trim().min(1).max(100),
    amount: decimal.optional().describe('in the currency of the shop, without tax; below zero: a rebate'),
    percent: decimal.optional().describe('of the goods after discounts, without tax'),
    taxable: yesNo.default(true),
    taxClass: taxClass.default(''),
    when: z
      .object({
        minSubtotal: notNegative.optional().describe('as the cart shows its subtotal'),
        maxSubtotal: notNegative.optional(),
        paymentMethod: z.string().optional(),
        country: z.string().optional().describe('where the order goes: US, or US:CA for one state'),
        needsShipping: yesNo.optional(),
      })
      .prefault({}),
  })
  .refine(({ amount, percent }) => (amount === undefined) !== (percent === undefined), 'needs an amount or a percent')

/**
 * The merchant's settings of the shop. Stored as one row per key of the `settings` table; this file alone has the
 * defaults.
 */
export const shopSettings = z.object({
  name: z.string().default('Vitrine'),
  tagline: z.string().default(''),
  email: z.string().default('shop@example.test'),
  language: languageTag.default('en-US'),
  languages: languagesSetting.describe('beside the one above, in which products and pages are written'),
  translation: translationSettings.prefault({}),
  timeZone: z.string().default('UTC'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code like USD')
    .default('USD'),
  currencies: currenciesSetting.describe('beside the one above, in which prices are shown'),
  exchange: exchangeSettings.prefault({}),
  priceFormat: z
    .object({
      position: z.enum(['left', 'right', 'left_space', 'right_space']).default('left'),
      decimals: z.number().int().min(0).max(4).optional().describe('left out: as many as the currency has'),
      decimalSeparator: z.string().default('.'),
      thousandSeparator: z.string().default(','),
      symbol: z.string().min(1).max(10).optional().describe('left out: as is usual'),
      codePosition: z
        .enum(['not_display', 'left', 'right', 'left_space', 'right_space'])
        .optional()
        .describe('where the code of the currency stands beside prices'),
    })
    .prefault({}),
  base: z
    .object({
      country: z.string().default('US'),
      state: z.string().default('CA'),
      postcode: z.string().default(''),
      city: z.string().default(''),
    })
    .prefault({}),
  sellTo: sellToSetting,
  shipTo: shipToSetting,
  defaultLocation: defaultLocationSetting,
  addressFields: addressFieldsSetting,
  taxes: z
    .object({
      enabled: yesNo.default(true),
      pricesIncludeTax: yesNo.default(false),
      roundAtSubtotal: yesNo.default(false),
      basedOn: z.enum(['shipping', 'billing', 'base']).default('shipping'),
      displayShop: z.enum(['incl', 'excl']).default('excl'),
      displayCart: z.enum(['incl', 'excl']).default('excl'),
      itemised: yesNo.default(true).describe('a row for each tax instead of one sum'),
      sameGrossEverywhere: yesNo.default(false).describe('prices with tax stay the same wherever the customer lives'),
      localPickupAtBase: yesNo.default(true).describe('what is collected at the shop is taxed where the shop is'),
      classes: z
        .array(z.string().min(1).transform(slugOf))
        .default(['reduced-rate', 'zero-rate'])
        .describe('beside the standard one'),
      shippingClass: taxClass.default('inherit').describe('inherit: by what is shipped; empty: the standard class'),
      priceSuffix: z
        .string()
        .max(200)
        .default('')
        .describe('stands after prices; {price_including_tax} and {price_excluding_tax} are filled in'),
    })
    .prefault({}),
  shipping: z
    .object({
      enabled: yesNo.default(true),
      hideOthersWhenFree: yesNo.default(false),
      hideUntilAddress: yesNo.default(false).describe('no shipping costs before the visitor has given an address'),
      packagesByClass: z
        .array(z.string())
        .default([])
        .describe('shipping classes that travel in a parcel of their own, with a method of their own'),
    })
    .prefault({}),
  fees: z.array(feeSetting).default([]),
  couponsEnabled: yesNo.default(true),
  coupons: z
    .object({ sequential: yesNo.default(false).describe('each percent coupon works on what earlier ones left') })
    .prefault({}),
  productsPerPage: z.number().int().min(1).max(100).default(24),
  redirectAfterAdd: yesNo.default(false),
  ajaxAdd: yesNo.default(true),
  hideOutOfStock: yesNo.default(false),
  lowStockAmount: z.number().int().default(2),
  outOfStockAmount: z.number().int().min(0).default(0).describe('at this many counted pieces a product is sold out'),
  stockFormat: z
    .enum(['always', 'low', 'never'])
    .default('low')
    .describe('whether visitors are told how many pieces are left; of many, the number may be a minute old'),
  orderPrefix: z.string().max(20).default('V-').describe('begins the invoice ids that the provider sees'),
  holdStockMinutes: z.number().int().default(30),
  holdStockPieces: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .describe('of one product or variation, the most that an unpaid order keeps from others'),
  soldOutAfterPayment: z
    .enum(['refund', 'back-order'])
    .default('refund')
    .describe('what follows when a product turns out to be sold out after its money was taken'),
  termsPage: yesNo.default(true),
  payments: paymentMethodsSettings.prefault({}),
  remoteImages: yesNo.default(false).describe('whether the product import may fetch pictures over the network'),
  remoteDownloads: z
    .enum(['refuse', 'fetch', 'link'])
    .default('refuse')
    .describe(
      'what the product import does with sold files on other servers: refuse the row, take the file in, or keep the link',
    ),
  paypal: paypalSettings.prefault({}),
  /** Attribute slug → value → colour #rrggbb: shown as a dot beside the name. */
  swatches: z
    .record(z.string(), z.record(z.string(), z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #d9c8a9')))
    .default({}),
  home: homeSettings.prefault({}),
  theme: themeSettings.prefault({}),
  menus: menuSettings.prefault({}),
  storeNotice: storeNoticeSettings.prefault({}),
  findability: findabilitySettings.prefault({}),
  comingSoon: yesNo.default(false).describe('only the staff sees the shop; everybody else reads that it opens soon'),
  accounts: z
    .object({
      registration: yesNo.default(true).describe('whether visitors may open an account by themselves'),
      guestCheckout: yesNo.default(true).describe('whether one can buy without an account'),
      registrationAtCheckout: yesNo.default(true).describe('whether an account can be opened with an order'),
      logInAtCheckout: yesNo.default(true).describe('whether the checkout has a form to log in'),
      generateUsername: yesNo.default(true).describe('false: the form asks for a user name'),
      passwordByMail: yesNo
        .default(false)
        .describe('whether a new customer chooses the password by a mailed link, which also hides who has an account'),
      argon2: z
        .object({
          memoryKiB: z.number().int().min(7168).max(1_048_576).default(19_456),
          passes: z.number().int().min(1).max(20).default(2),
          parallelism: z.number().int().min(1).max(8).default(1),
        })
        .prefault({})
        .describe('what one password costs to check; stored ones follow when their owners log in'),
      loginDays: z
        .number()
        .int()
        .min(1)
        .max(400)
        .default(90)
        .describe('after how many days a customer logs in again, however often they come'),
      linkPastOrders: yesNo
        .default(true)
        .describe('whether a customer who confirms the email address gets the orders that it placed as a guest'),
    })
    .prefault({}),
  staff: staffSettings.prefault({}),
  privacy: z
    .object({
      keepOrderData: yesNo
        .default(true)
        .describe('whether orders keep names and addresses when their customer closes the account, for the books'),
    })
    .prefault({}),
  attribution: attributionSettings.prefault({}),
  consent: consentSettings.prefault({}),
  statistics: statisticsSettings.prefault({}),
  mail: mailSettings.prefault({}),
})

export type ShopSettings = z.infer<typeof shopSettings>
