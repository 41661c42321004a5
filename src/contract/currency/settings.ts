import { z } from 'zod'

/** A figure in its written form, kept as text without loss of precision; a number literal has its shortest text. */
const decimal = z
  .union([z.string(), z.number()])
  .transform((given) => String(given).trim())
  .refine((text) => /^\d{1,12}(?:\.\d{1,12})?$/.test(text), 'must be a number like 1.0845')

const positive = decimal.refine((text) => /[1-9]/.test(text), 'must be more than zero')

export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code like USD')

/** A display currency besides the shop's own. */
export const currencySetting = z.strictObject({
  code: currencyCode,
  symbol: z.string().min(1).max(10).optional().describe('default: the usual symbol'),
  rate: z
    .union([z.literal('auto'), positive])
    .default('auto')
    .describe('units of it for one unit of the shop’s own currency; auto: from the source of rates'),
  fee: z
    .strictObject({ type: z.enum(['percentage', 'fixed']).default('percentage'), value: decimal.default('0') })
    .prefault({})
    .describe('surcharge on the rate: a percentage, or an amount'),
  position: z.enum(['left', 'right', 'left_space', 'right_space']).optional(),
  codePosition: z
    .enum(['not_display', 'left', 'right', 'left_space', 'right_space'])
    .default('not_display')
    .describe('position of the currency code beside prices'),
  thousandSeparator: z.string().max(4).optional(),
  decimalSeparator: z.string().max(4).optional(),
  decimals: z.number().int().min(0).max(4).optional().describe('default: those of the currency'),
  rounding: z
    .strictObject({
      type: z.enum(['disabled', 'up', 'down', 'nearest']).default('disabled'),
      step: positive.default('1').describe('prices are rounded to multiples of this'),
      subtract: decimal.default('0').describe('subtracted after rounding: 0.01 turns 25 into 24.99'),
    })
    .prefault({}),
  checkout: z.boolean().default(true).describe('orders can be paid in it, if payment in other currencies is enabled'),
  paymentMethods: z
    .union([z.literal('all'), z.array(z.string().min(1).max(100)).max(50)])
    .default('all')
    .describe('payment methods that accept it'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code like DE'))
    .max(250)
    .default([])
    .describe('countries whose visitors see it by default, if byCountry is enabled'),
})

export const currenciesSetting = z
  .array(currencySetting)
  .max(60)
  .default([])
  .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, 'must not contain a code twice')

export type CurrencySetting = z.infer<typeof currencySetting>

/** How other currencies are chosen, their rates, and whether they can be charged. */
export const exchangeSettings = z.object({
  checkoutInShown: z
    .boolean()
    .default(false)
    .describe('orders are charged in the displayed currency; false: in the shop’s own, with a note before the order'),
  switcher: z
    .object({
      header: z.boolean().default(false).describe('in the page header'),
      footer: z.boolean().default(true).describe('in the page footer'),
      flags: z.boolean().default(true),
      names: z.boolean().default(true),
      symbols: z.boolean().default(true),
    })
    .prefault({}),
  byCountry: z
    .boolean()
    .default(false)
    .describe('a first visit shows the currency of the visitor’s country, as reported by the reverse proxy'),
  countryHeader: z
    .string()
    .max(60)
    .default('cf-ipcountry')
    .describe('request header with the visitor’s country, set by the reverse proxy'),
  rates: z
    .object({
      source: z.enum(['hand', 'ecb', 'open-rates']).default('hand'),
      address: z
        .union([z.literal(''), z.url({ protocol: /^https?$/ })], 'must be a URL like https://rates.example/latest')
        .default('')
        .describe('URL of the source; empty: its default'),
      everyHours: z.number().int().min(1).max(720).default(24),
      maxAgeDays: z
        .number()
        .int()
        .min(1)
        .max(365)
        .default(7)
        .describe('maximum age of a rate; the currency is not offered with an older one'),
      maxJumpPercent: z
        .number()
        .min(1)
        .max(1000)
        .default(20)
        .describe('a rate with a larger change is refused and logged'),
    })
    .prefault({}),
})

export type ExchangeSettings = z.infer<typeof exchangeSettings>
