import { divideRounded } from '#domain/money/round.ts'

/**
 * Rounds a decimal text to a currency's decimals, halves away from zero: classic shops store prices with any number of
 * them. A shop with decimal commas may store `12,5`. Returns null for anything else than a number.
 */
export function roundedAmount(
  text: string,
  decimals: number,
): { readonly text: string; readonly rounded: boolean } | null {
  const match = /^(-?)(\d{0,15})(?:[.,](\d{0,20}))?$/.exec(text.trim())
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (!match || whole + fraction === '') return null
  if (fraction.replace(/0+$/, '').length <= decimals) {
    const plain = `${sign}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
    return { text: plain, rounded: false }
  }
  const minor = divideRounded(BigInt(whole + fraction), 10n ** BigInt(fraction.length - decimals), 'half-up')
  const digits = String(minor).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return { text: `${sign}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`, rounded: true }
}
