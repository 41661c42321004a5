/**
 * Whether a merchant's postcode rule covers a postcode. A rule is a postcode, a wildcard (`CB23*`) or a range
 * (`90210...90220`); zones and tax rates write them alike.
 *
 * @param postcode as its country writes it (`formatPostcode`): a wildcard counts the space, so that `CB23*` covers
 *   `CB23 6AA` and not `CB2 3AA`.
 */
export function postcodeMatches(rule: string, postcode: string): boolean {
  const wanted = rule.trim().toUpperCase()
  const formatted = postcode.trim().toUpperCase()
  const bare = normalise(formatted)
  const range = wanted.split('...')
  if (range.length > 1) {
    const [from, to] = range
    return (
      range.length === 2 &&
      from !== undefined &&
      to !== undefined &&
      bare !== '' &&
      inRange(bare, from.trim(), to.trim())
    )
  }
  if (wanted.endsWith('*')) return formatted.startsWith(wanted.slice(0, -1)) || bareWildcard(wanted, bare)
  return wanted === formatted || normalise(wanted) === bare
}

/** A wildcard of the whole bare postcode (`SW1A1AA*`) covers that one postcode, however it is spaced. */
function bareWildcard(wanted: string, bare: string): boolean {
  return bare !== '' && normalise(wanted.slice(0, -1)) === bare
}

function inRange(bare: string, from: string, to: string): boolean {
  if (/^\d+$/.test(from) && /^\d+$/.test(to))
    return /^\d+$/.test(bare) && BigInt(bare) >= BigInt(from) && BigInt(bare) <= BigInt(to)
  // Digits of equal length compare as text the way they compare as numbers, without a limit of size.
  const value = asDigits(bare)
  return value >= asDigits(from).padEnd(value.length, '0') && value <= asDigits(to).padEnd(value.length, '0')
}

/** Whether a range ends before it begins, and so covers nothing. */
export function isBackwards(from: string, to: string): boolean {
  if (/^\d+$/.test(from) && /^\d+$/.test(to)) return BigInt(from) > BigInt(to)
  const [first, last] = [asDigits(from), asDigits(to)]
  const length = Math.max(first.length, last.length)
  return first.padEnd(length, '0') > last.padEnd(length, '0')
}

/** Two digits a character: A is 01 … Z is 26, a digit is itself, anything else 00. */
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
