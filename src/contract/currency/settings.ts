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
  symbol: z.string().min(1).max(10).optional().describe('left out: as is usual'),
  rate: z
    .union([z.literal('auto'), positive])
    .default('auto')
    .describe('units of it for one of the shop’s own currency; auto: from the source of rates'),
  fee: z
    .strictObject({ type: z.enum(['percentage', 'fixed']).default('percentage'), value: decimal.default('0') })
    .prefault({})
    .describe('on top of the rate: a share of it, or added to it'),
  position: z.enum(['left', 'right', 'left_space', 'right_space']).optional(),
  codePosition: z
    .enum(['not_display', 'left', 'right', 'left_space', 'right_space'])
    .default('not_display')
    .describe('where its code stands beside prices'),
  thousandSeparator: z.string().max(4).optional(),
  decimalSeparator: z.string().max(4).optional(),
  decimals: z.number().int().min(0).max(4).optional().describe('left out: as many as the currency has'),
  rounding: z
    .strictObject({
      type: z.enum(['disabled', 'up', 'down', 'nearest']).default('disabled'),
      step: positive.default('1').describe('prices are rounded to multiples of this'),
      subtract: decimal.default('0').describe('then this is taken off: 0.01 makes 24.99 of 25'),
    })
    .prefault({}),
  checkout: z.boolean().default(true).describe('whether one may pay in it, where paying in other currencies is on'),
  paymentMethods: z
    .union([z.literal('all'), z.array(z.string().min(1).max(100)).max(50)])
    .default('all')
    .describe('the ways to pay that take it'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code like DE'))
    .max(250)
    .default([])
    .describe('whose visitors see it first, where the shop goes by country'),
})

export const currenciesSetting = z
  .array(currencySetting)
  .max(60)
  .default([])
  .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, 'must each be named once')

export type CurrencySetting = z.infer<typeof currencySetting>

/** How other currencies are chosen, their rates, and whether they can be charged. */
export const exchangeSettings = z.object({
  checkoutInShown: z
    .boolean()
    .default(false)
    .describe('whether orders are placed in the currency that is shown; else in the shop’s own, which is told before'),
  switcher: z
    .object({
      header: z.boolean().default(false).describe('in the head of the page'),
      footer: z.boolean().default(true).describe('at its foot'),
      flags: z.boolean().default(true),
      names: z.boolean().default(true),
      symbols: z.boolean().default(true),
    })
    .prefault({}),
  byCountry: z
    .boolean()
    .default(false)
    .describe('whether a first visit shows the currency of the country that the proxy in front names'),
  countryHeader: z.string().max(60).default('cf-ipcountry').describe('in which a proxy in front names the country'),
  rates: z
    .object({
      source: z.enum(['hand', 'ecb', 'open-rates']).default('hand'),
      address: z
        .union([z.literal(''), z.url({ protocol: /^https?$/ })], 'must be an address like https://rates.example/latest')
        .default('')
        .describe('in place of the usual one of the source'),
      everyHours: z.number().int().min(1).max(720).default(24),
      maxAgeDays: z
        .number()
        .int()
        .min(1)
        .max(365)
        .default(7)
        .describe('older rates are not used: the currency is not offered until there is a newer one'),
      maxJumpPercent: z.number().min(1).max(1000).default(20).describe('a greater change is refused and told'),
    })
    .prefault({}),
})

export type ExchangeSettings = z.infer<typeof exchangeSettings>
