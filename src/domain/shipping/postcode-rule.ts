/** Countries whose five-digit postcodes may have four more digits, for a block or a box. */
const plusFourCountries = ['US', 'PR', 'AS', 'FM', 'GU', 'MH', 'MP', 'PW', 'UM', 'VI', 'MN']
/** Countries in which a postcode may begin with the country code. */
const prefixedCountries = ['CZ', 'DK', 'LV', 'SE', 'SK']

/**
 * Reports whether a merchant's postcode rule covers a postcode. A rule is a postcode, a wildcard (`CB23*`) or a range
 * (`90210...90220`); zones and tax rates use the same function. A ZIP+4 belongs to its first five digits, and `LV-1010`
 * is `1010`.
 * @param postcode in the format of its country (`formatPostcode`): a wildcard counts the space, so that `CB23*` covers
 * `CB23 6AA` and not `CB2 3AA`.
 */
export function postcodeMatches(rule: string, postcode: string, country: string): boolean {
  const wanted = rule.trim().toUpperCase()
  const formatted = postcode.trim().toUpperCase()
  if (ruleCovers(wanted, formatted, country)) return true
  if (!prefixedCountries.includes(country)) return false
  return ruleCovers(withoutPrefix(wanted, country), withoutPrefix(formatted, country), country)
}

function ruleCovers(wanted: string, formatted: string, country: string): boolean {
  const bare = normalise(formatted)
  const range = wanted.split('...')
  if (range.length > 1) {
    const [from, to] = range.map((bound) => withoutPrefix(bound.trim(), country))
    return range.length === 2 && from !== undefined && to !== undefined && inRange(bare, from, to, country)
  }
  if (wanted.endsWith('*')) return formatted.startsWith(wanted.slice(0, -1)) || bareWildcard(wanted, bare)
  const code = normalise(wanted)
  return wanted === formatted || code === comparable(bare, code, country)
}

/** Matches a wildcard of the whole bare postcode (`SW1A1AA*`), however it is spaced. */
function bareWildcard(wanted: string, bare: string): boolean {
  return bare !== '' && normalise(wanted.slice(0, -1)) === bare
}

function inRange(bare: string, from: string, to: string, country: string): boolean {
  if (bare === '') return false
  const [lower, upper] = [from, to].map((bound) => comparable(bare, normalise(bound), country))
  if (lower === undefined || upper === undefined) return false
  if (/^\d+$/.test(from) && /^\d+$/.test(to))
    return /^\d+$/.test(bare) && BigInt(lower) >= BigInt(from) && BigInt(upper) <= BigInt(to)
  // Digits of equal length compare as text like numbers, without a limit of size.
  const [first, last] = [asDigits(lower), asDigits(upper)]
  return first >= asDigits(from).padEnd(first.length, '0') && last <= asDigits(to).padEnd(last.length, '0')
}

/** Returns the part of a bare postcode that a rule of this length covers: of a ZIP+4, the ZIP for a short rule. */
function comparable(bare: string, rule: string, country: string): string {
  const plusFour = plusFourCountries.includes(country) && /^\d{9}$/.test(bare)
  return plusFour && rule.length <= 5 ? bare.slice(0, 5) : bare
}

/** Removes the country code before the digits. */
function withoutPrefix(code: string, country: string): string {
  return prefixedCountries.includes(country) ? code.replace(new RegExp(`^${country}[\\s-]*(?=\\d)`), '') : code
}

/** Reports whether a range ends before it begins, and covers nothing. */
export function isBackwards(from: string, to: string): boolean {
  if (/^\d+$/.test(from) && /^\d+$/.test(to)) return BigInt(from) > BigInt(to)
  const [first, last] = [asDigits(from), asDigits(to)]
  const length = Math.max(first.length, last.length)
  return first.padEnd(length, '0') > last.padEnd(length, '0')
}

/** Converts each character to two digits: A is 01 … Z is 26, a digit is itself, anything else 00. */
function asDigits(text: string): string {
  return [...normalise(text)]
    .map((character) => {
      if (/\d/.test(character)) return `0${character}`
      return /[A-Z]/.test(character) ? String(character.charCodeAt(0) - 64).padStart(2, '0') : '00'
    })
    .join('')
}

function normalise(postcode: string): string {
  return postcode.replace(/[\s-]/g, '')
}
