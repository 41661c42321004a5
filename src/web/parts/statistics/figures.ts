import { minusSign } from '#domain/money/format-amount.ts'

/** Number formats of the merchant's language. */
export type Figures = {
  /** 12,345 */
  readonly whole: (value: number) => string
  /** 12K: short form. */
  readonly short: (value: number) => string
  /** 2.4: an average. */
  readonly average: (value: number) => string
  /** 12.5%, of a share between 0 and 1. */
  readonly share: (value: number) => string
  /** +12%, of a change between two values. */
  readonly change: (value: number) => string
}

const kept = new Map<string, Figures>()

/** @param language a BCP 47 tag */
export function figures(language: string): Figures {
  const known = kept.get(language)
  if (known) return known
  const of = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(language, options)
    return (value: number) => format.format(value).replace('-', minusSign)
  }
  const made: Figures = {
    whole: of({ maximumFractionDigits: 0 }),
    short: of({ notation: 'compact', maximumFractionDigits: 1 }),
    average: of({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    share: of({ style: 'percent', maximumFractionDigits: 1 }),
    change: of({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
  }
  kept.set(language, made)
  return made
}
