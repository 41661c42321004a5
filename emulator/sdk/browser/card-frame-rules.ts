/** What a card's fields accept. Pure: no document, no clock. */

export type CardBrand = {
  type: string
  niceType: string
  code: { name: string; size: number }
}

type BrandRule = CardBrand & {
  /** Leading digits, or ranges of them: `51-55`. */
  prefixes: readonly string[]
  lengths: readonly number[]
  /** Digits before each gap. */
  gaps: readonly number[]
  /** Its numbers need not pass the check of Luhn. */
  unchecked?: true
}

const BY_FOUR = [4, 8, 12]
const CVV = { name: 'CVV', size: 3 }

/** A longer prefix beats a shorter one, so that a discover range inside unionpay's stays discover's. */
const BRANDS: readonly BrandRule[] = [
  brand('visa', 'Visa', ['4'], [13, 16, 18, 19]),
  brand('mastercard', 'Mastercard', ['51-55', '2221-2720'], [16], { code: { name: 'CVC', size: 3 } }),
  brand('american-express', 'American Express', ['34', '37'], [15], {
    gaps: [4, 10],
    code: { name: 'CID', size: 4 },
  }),
  brand('diners-club', 'Diners Club', ['300-305', '36', '38', '39'], [14, 16, 19], { gaps: [4, 10] }),
  brand('discover', 'Discover', ['6011', '644-649', '65'], [16, 19], { code: { name: 'CID', size: 3 } }),
  brand('jcb', 'JCB', ['2131', '1800', '3528-3589'], [16, 17, 18, 19]),
  brand('unionpay', 'UnionPay', ['620', '62100-62197', '622-628', '8110-8171'], [14, 15, 16, 17, 18, 19], {
    code: { name: 'CVN', size: 3 },
    unchecked: true,
  }),
  brand('maestro', 'Maestro', ['500-504', '5060-5065', '508', '56-58', '63', '67'], [12, 13, 14, 15, 16, 17, 18, 19]),
  brand(
    'elo',
    'Elo',
    ['401178', '438935', '457631', '504175', '506699-506778', '509000-509999', '627780', '636368'],
    [16],
    {
      code: { name: 'CVE', size: 3 },
    },
  ),
  brand('hiper', 'Hiper', ['637095', '637568', '637599', '637609', '637612'], [16]),
  brand('hipercard', 'Hipercard', ['606282'], [16]),
]

function brand(
  type: string,
  niceType: string,
  prefixes: readonly string[],
  lengths: readonly number[],
  more: Partial<Pick<BrandRule, 'gaps' | 'code' | 'unchecked'>> = {},
): BrandRule {
  return { type, niceType, prefixes, lengths, gaps: BY_FOUR, code: CVV, ...more }
}

export type Verdict = { isEmpty: boolean; isValid: boolean; isPotentiallyValid: boolean }

const verdict = (text: string, isValid: boolean, isPotentiallyValid: boolean): Verdict => ({
  isEmpty: text === '',
  isValid,
  isPotentiallyValid: isPotentiallyValid || isValid,
})

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** The brands that a number may still become; one when it is certain, all for an empty field. */
export function possibleBrands(number: string): CardBrand[] {
  return brandRules(digitsOf(number)).map(({ type, niceType, code }) => ({ type, niceType, code }))
}

function brandRules(digits: string): BrandRule[] {
  if (digits === '') return [...BRANDS]
  const matches = BRANDS.map((rule) => ({ rule, strength: Math.max(...rule.prefixes.map((p) => matched(digits, p))) }))
  const possible = matches.filter(({ strength }) => strength >= 0)
  const certain = possible.filter(({ strength }) => strength > 0)
  // While digits that would decide are still missing, nothing is certain.
  if (certain.length === 0 || possible.some(({ strength }) => strength === 0)) return possible.map(({ rule }) => rule)
  const best = Math.max(...certain.map(({ strength }) => strength))
  return certain.filter(({ strength }) => strength === best).map(({ rule }) => rule)
}

/** How many leading digits of a prefix or range are matched for certain; 0: may come to match; -1: cannot. */
function matched(digits: string, prefix: string): number {
  const [low = '', high = low] = prefix.split('-')
  const length = Math.min(digits.length, low.length)
  const head = digits.slice(0, length)
  if (head < low.slice(0, length) || head > high.slice(0, length)) return -1
  return digits.length >= low.length ? low.length : 0
}

/** @param refusedBrands types that the merchant does not take */
export function checkNumber(text: string, refusedBrands: readonly string[] = []): Verdict & { refused: boolean } {
  const digits = digitsOf(text)
  const rules = brandRules(digits)
  const [only] = rules
  const refused = rules.length > 0 && rules.every(({ type }) => refusedBrands.includes(type)) && digits !== ''
  const isValid =
    !refused &&
    rules.length === 1 &&
    only?.lengths.includes(digits.length) === true &&
    (only.unchecked === true || passesLuhn(digits))
  const longest = Math.max(0, ...rules.flatMap(({ lengths }) => lengths))
  // A complete number with a wrong check digit may only still grow where its brand has longer ones.
  const mayGrow = digits.length < longest
  return { ...verdict(digits, isValid, !refused && rules.length > 0 && mayGrow), refused }
}

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const weighted = i % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return digits.length > 0 && sum % 10 === 0
}

/** @param now the month in which the question is asked */
export function checkExpiry(text: string, now: Date): Verdict {
  const digits = digitsOf(text)
  const month = digits.slice(0, 2)
  const year = digits.slice(2)
  if (digits.length < 4) return verdict(digits, false, month.length < 2 || (month >= '01' && month <= '12'))
  const iso = isoExpiry(text)
  const current = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`
  const latest = `${now.getFullYear() + 19}-12`
  const isValid = iso !== undefined && iso >= current && iso <= latest
  // "20" may be the year 2020 or the beginning of one of this century.
  return verdict(digits, isValid, month >= '01' && month <= '12' && (year === '20' || year.length === 3))
}

/** `2030-01` of `01 / 30`; undefined while it is none. */
export function isoExpiry(text: string): string | undefined {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2])(\d\d|20\d\d)$/.exec(digitsOf(text)) ?? []
  return month === '' ? undefined : `${year.padStart(4, '20')}-${month}`
}

/** @param sizes how many digits the possible brands print */
export function checkCvv(text: string, sizes: readonly number[]): Verdict {
  const longest = Math.max(...sizes)
  return verdict(text, sizes.includes(text.length), text.length < longest)
}

/** A name may be left out; one that reads like a card's number is a slip of the hand. */
export function checkName(text: string): Verdict {
  const isFine = text.length <= 255 && digitsOf(text).length < 12
  return verdict(text, isFine, isFine)
}

/** The number with the gaps of its brand. */
export function formattedNumber(text: string): string {
  const digits = digitsOf(text)
  const rules = brandRules(digits)
  const gaps = rules.length === 1 ? (rules[0]?.gaps ?? BY_FOUR) : BY_FOUR
  const longest = rules.length === 0 ? 16 : Math.max(...rules.flatMap(({ lengths }) => lengths))
  return [...digits.slice(0, longest)].map((digit, i) => (gaps.includes(i) ? ` ${digit}` : digit)).join('')
}

/** `1` stays open, `4` must be April, `13` is January of a year that begins with 3. */
export function formattedExpiry(text: string): string {
  let digits = digitsOf(text)
  if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits) || /^\d\s*\//.test(text)) digits = `0${digits}`
  const year = digits.slice(2, digits.startsWith('20', 2) ? 6 : 4)
  return digits.length < 3 ? digits : `${digits.slice(0, 2)} / ${year}`
}
