import type { AcceleratedCard } from '../provider.ts'

/** Formats a card by the merchant's pattern: `{brand} ending in {last4}`. Unknown words in braces stay. */
export function cardLabel(pattern: string, { brand, last4, expiry, name }: Omit<AcceleratedCard, 'token' | 'billing'>) {
  const [year = '', month = ''] = expiry.split('-')
  const parts: Readonly<Record<string, string>> = {
    brand: brandName(brand),
    last4,
    expiry: month ? `${month}/${year.slice(-2)}` : expiry,
    name,
  }
  return pattern.replace(/\{(\w+)\}/g, (word, part) => (Object.hasOwn(parts, part) ? (parts[part] ?? '') : word)).trim()
}

const shortNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  american_express: 'American Express',
  jcb: 'JCB',
}

function brandName(brand: string): string {
  const known = Object.hasOwn(shortNames, brand) ? shortNames[brand] : undefined
  return known ?? brand.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
}
