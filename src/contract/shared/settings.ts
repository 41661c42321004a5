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
import { storeApiSettings } from '../operations/store-api-settings.ts'
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
    amount: decimal.optional().describe('in the shop’s currency, without tax; negative: a discount'),
    percent: decimal.optional().describe('of the products after discounts, without tax'),
    taxable: yesNo.default(true),
    taxClass: taxClass.default(''),
    when: z
      .object({
        minSubtotal: notNegative.optional().describe('minimum subtotal, as the cart displays it'),
        maxSubtotal: notNegative.optional(),
        paymentMethod: z.string().optional(),
        country: z.string().optional().describe('destination of the order: US, or US:CA for one state'),
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
  languages: languagesSetting.describe('additional languages; `language` is that of the products and pages'),
  translation: translationSettings.prefault({}),
  timeZone: z.string().default('UTC'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code like USD')
    .default('USD'),
  currencies: currenciesSetting.describe('additional display currencies'),
  exchange: exchangeSettings.prefault({}),
  priceFormat: z
    .object({
      position: z.enum(['left', 'right', 'left_space', 'right_space']).default('left'),
      decimals: z.number().int().min(0).max(4).optional().describe('default: those of the currency'),
      decimalSeparator: z.string().default('.'),
      thousandSeparator: z.string().default(','),
      symbol: z.string().min(1).max(10).optional().describe('default: the usual symbol'),
      codePosition: z
        .enum(['not_display', 'left', 'right', 'left_space', 'right_space'])
        .optional()
        .describe('position of the currency code beside prices'),
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
      sameGrossEverywhere: yesNo.default(false).describe('prices with tax are the same in every country'),
      localPickupAtBase: yesNo.default(true).describe('local pickup is taxed at the shop’s address'),
      classes: z
        .array(z.string().min(1).transform(slugOf))
        .default(['reduced-rate', 'zero-rate'])
        .describe('in addition to the standard class'),
      shippingClass: taxClass
        .default('inherit')
        .describe('inherit: by the shipped products; empty: the standard class'),
      priceSuffix: z
        .string()
        .max(200)
        .default('')
        .describe('suffix of prices; {price_including_tax} and {price_excluding_tax} are filled in'),
    })
    .prefault({}),
  shipping: z
    .object({
      enabled: yesNo.default(true),
      hideOthersWhenFree: yesNo.default(false),
      hideUntilAddress: yesNo.default(false).describe('hides shipping costs until the visitor has entered an address'),
      packagesByClass: z
        .array(z.string())
        .default([])
        .describe('shipping classes that are shipped as separate packages, each with its own method'),
    })
    .prefault({}),
  fees: z.array(feeSetting).default([]),
  couponsEnabled: yesNo.default(true),
  coupons: z
    .object({
      sequential: yesNo.default(false).describe('each percent coupon applies to the price after earlier ones'),
    })
    .prefault({}),
  productsPerPage: z.number().int().min(1).max(100).default(24),
  redirectAfterAdd: yesNo.default(false),
  ajaxAdd: yesNo.default(true),
  hideOutOfStock: yesNo.default(false),
  lowStockAmount: z.number().int().default(2),
  outOfStockAmount: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('a product with managed stock is out of stock at this quantity'),
  stockFormat: z
    .enum(['always', 'low', 'never'])
    .default('low')
    .describe('when the remaining quantity is displayed; a large one may be a minute old'),
  orderPrefix: z.string().max(20).default('V-').describe('prefix of the invoice ids at the provider'),
  holdStockMinutes: z.number().int().default(30),
  holdStockPieces: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .describe('maximum quantity of a product or variation that an unpaid order reserves'),
  soldOutAfterPayment: z
    .enum(['refund', 'back-order'])
    .default('refund')
    .describe('action for a product that is out of stock after its payment was captured'),
  termsPage: yesNo.default(true),
  payments: paymentMethodsSettings.prefault({}),
  remoteImages: yesNo.default(false).describe('the product import may download images'),
  remoteDownloads: z
    .enum(['refuse', 'fetch', 'link'])
    .default('refuse')
    .describe(
      'downloadable files on other servers in a product import: reject the row, copy the file, or keep the link',
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
  comingSoon: yesNo.default(false).describe('only staff can see the shop; visitors see a coming-soon page'),
  accounts: z
    .object({
      registration: yesNo.default(true).describe('visitors can register'),
      guestCheckout: yesNo.default(true).describe('guests can buy without an account'),
      registrationAtCheckout: yesNo.default(true).describe('the checkout can create an account'),
      logInAtCheckout: yesNo.default(true).describe('the checkout has a login form'),
      generateUsername: yesNo.default(true).describe('false: the form asks for a user name'),
      passwordByMail: yesNo
        .default(false)
        .describe('new customers choose the password by an emailed link, which also hides which accounts exist'),
      argon2: z
        .object({
          memoryKiB: z.number().int().min(7168).max(1_048_576).default(19_456),
          passes: z.number().int().min(1).max(20).default(2),
          parallelism: z.number().int().min(1).max(8).default(1),
        })
        .prefault({})
        .describe('cost of a password hash; stored hashes are updated at the next login'),
      loginDays: z.number().int().min(1).max(400).default(90).describe('maximum lifetime of a login, in days'),
      linkPastOrders: yesNo.default(true).describe('a verified email address adds its guest orders to the account'),
    })
    .prefault({}),
  staff: staffSettings.prefault({}),
  storeApi: storeApiSettings.prefault({}),
  privacy: z
    .object({
      keepOrderData: yesNo
        .default(true)
        .describe('orders keep names and addresses after their account is closed, for accounting'),
    })
    .prefault({}),
  attribution: attributionSettings.prefault({}),
  consent: consentSettings.prefault({}),
  statistics: statisticsSettings.prefault({}),
  mail: mailSettings.prefault({}),
})

export type ShopSettings = z.infer<typeof shopSettings>
