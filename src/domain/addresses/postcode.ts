import { plainSigns } from './normalise-number.ts'

/** Returns upper case without spaces, hyphens and the Japanese postal mark: the form for comparisons. */
export function normalisePostcode(postcode: string): string {
  return plainSigns(postcode)
    .toUpperCase()
    .replace(/[\s\p{Cf}〒-]/gu, '')
}

/**
 * Formats a postcode as its country writes it. Formatting precedes validation: `021119999` is valid in the US as
 * `02111-9999`.
 */
export function formatPostcode(postcode: string, country: string): string {
  const bare = normalisePostcode(postcode)
  switch (country) {
    case 'SE':
      return split(bare, -2, ' ')
    case 'CZ':
    case 'SK': {
      const prefix = bare.startsWith(country) ? `${country}-` : ''
      return prefix + split(prefix ? bare.slice(2) : bare, -2, ' ')
    }
    case 'CA':
    case 'GB':
      return split(bare, -3, ' ')
    case 'IE':
      return split(bare, 3, ' ')
    case 'NL':
      return split(bare, 4, ' ')
    case 'BR':
    case 'PL':
      return split(bare, -3, '-')
    case 'JP':
      return split(bare, 3, '-')
    case 'PT':
      return split(bare, 4, '-')
    case 'US':
    case 'PR':
    case 'MN':
      return split(bare, 5, '-')
    case 'LV':
      return /^(?:LV)?\d+$/.test(bare) ? `LV-${bare.replace('LV', '')}` : bare
    case 'DK':
      return bare.startsWith('DK') ? `DK-${bare.slice(2)}` : bare
    default:
      return bare
  }
}

const outward = [
  '[a-pr-uwyz]\\d{1,2}',
  '[a-pr-uwyz][a-hk-y]\\d{1,2}',
  '[a-pr-uwyz]\\d[abcdefghjkpstuw]',
  '[a-pr-uwyz][a-hk-y]\\d[abehmnprvwxy]',
].join('|')

const shapes: Readonly<Record<string, RegExp>> = {
  AT: /^\d{4}$/,
  BA: /^[78]\d{4}$/,
  BE: /^\d{4}$/,
  BR: /^\d{5}-?\d{3}$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  CH: /^\d{4}$/,
  CZ: /^(?:CZ-?)?\d{3} ?\d{2}$/i,
  DE: /^(?!00)\d{5}$/,
  DK: /^(?:DK-?)?(?:[124-9]\d{3}|3[0-8]\d{2})$/i,
  EE: /^\d{5}$/,
  ES: /^\d{5}$/,
  FI: /^\d{5}$/,
  FR: /^\d{5}$/,
  GB: new RegExp(`^(?:(?:${outward})\\d[abd-hjlnp-uw-z]{2}|gir0aa|bfpo\\d{1,4})$`),
  HU: /^\d{4}$/,
  IE: /(?:[AC-FHKNPRTV-Y]\d{2}|D6W)[0-9AC-FHKNPRTV-Y]{4}/,
  IN: /^[1-9]\d{2}\s?\d{3}$/,
  IT: /^\d{5}$/,
  JP: /^\d{3}-?\d{4}$/,
  LI: /^94[89]\d$/,
  NL: /^[1-9]\d{3} ?(?!SA|SD|SS)[A-Z]{2}$/i,
  NO: /^\d{4}$/,
  PL: /^\d{2}-\d{3}$/,
  PR: /^\d{5}(?:-?\d{4})?$/,
  PT: /^\d{4}-\d{3}$/,
  SE: /^(?:SE-?)?\d{3} ?\d{2}$/i,
  SI: /^[1-9]\d{3}$/,
  SK: /^(?:SK-?)?\d{3} ?\d{2}$/i,
  US: /^\d{5}(?:-?\d{4})?$/,
}

/**
 * Returns true if a formatted postcode is valid in its country. Countries without a known format accept any letters and
 * digits.
 */
export function isPostcode(postcode: string, country: string): boolean {
  if (/[^\p{L}\p{N}\s-]/u.test(postcode)) return false
  const shape = Object.hasOwn(shapes, country) ? shapes[country] : undefined
  if (!shape) return true
  const text = postcode.trim()
  if (country === 'GB') return shape.test(text.toLowerCase().replace(/\s/g, ''))
  return shape.test(country === 'IE' ? normalisePostcode(text) : text)
}

/** Inserts a separator at the given place, counted from the end if negative, unless a side is empty. */
function split(text: string, place: number, separator: string): string {
  const at = place < 0 ? text.length + place : place
  return at > 0 && at < text.length ? text.slice(0, at) + separator + text.slice(at) : text
}
