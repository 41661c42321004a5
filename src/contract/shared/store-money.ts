import { z } from 'zod'

/** An amount of the Store API: whole minor units as text, `-1250`. */
export const minorText = z.string().regex(/^-?\d+$/)

/** The currency members of every object with amounts. */
export const storeCurrency = {
  currency_code: z.string(),
  currency_symbol: z.string(),
  /** Decimals of the amounts. */
  currency_minor_unit: z.number().int(),
  currency_decimal_separator: z.string(),
  currency_thousand_separator: z.string(),
  currency_prefix: z.string(),
  currency_suffix: z.string(),
}

export type StoreCurrency = z.infer<z.ZodObject<typeof storeCurrency>>

/** Data of extensions by namespace. The shop itself has none. */
export const storeExtensions = z.record(z.string(), z.unknown())

export const storeImage = z.object({
  id: z.number().int(),
  src: z.string(),
  thumbnail: z.string(),
  srcset: z.string(),
  sizes: z.string(),
  name: z.string(),
  alt: z.string(),
})

/** Prices of a product; ranges are null for a single price. */
const priceMembers = {
  price: minorText,
  regular_price: minorText,
  sale_price: minorText,
  price_range: z.object({ min_amount: minorText, max_amount: minorText }).nullable(),
}

export const storePrices = z.object({ ...storeCurrency, ...priceMembers })

/** Prices of a cart item; `raw_prices` have more decimals than the currency. */
export const storeItemPrices = z.object({
  ...storeCurrency,
  ...priceMembers,
  raw_prices: z.object({
    precision: z.number().int(),
    price: z.string(),
    regular_price: z.string(),
    sale_price: z.string(),
  }),
})
