import { isCountry } from '#domain/addresses/countries.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { isBackwards } from '#domain/shipping/postcode-rule.ts'
import type { CellResult } from '../import/product-csv-cells.ts'

/** Parsers of places in tax rates and shipping zones. */

export function countryIn(text: string): CellResult<string> {
  const code = text.toUpperCase()
  return isCountry(code) ? { value: code } : { problem: 'is no country: write its two letters, like DE' }
}

/** Parses a state by code or name if the country's states are known, else unchanged. */
export function stateIn(country: string, text: string): CellResult<string> {
  const code = stateCode(country, text)
  if (code === null) return { problem: `is no state of ${country}` }
  return { value: code.toUpperCase() }
}

/** Parses `US`, or `US:CA` for one state. */
export function regionIn(text: string): CellResult<string> {
  const [countryText = '', stateText, ...more] = text.split(':').map((part) => part.trim())
  const country = countryIn(countryText)
  if ('problem' in country || more.length > 0 || stateText === '')
    return { problem: 'is no country, like DE, and no state, like US:CA' }
  if (stateText === undefined) return country
  const state = stateIn(country.value, stateText)
  return 'problem' in state ? state : { value: `${country.value}:${state.value}` }
}

/** Parses a postcode, a prefix (`CB23*`) or a range (`90210...90220`). */
export function postcodeRuleIn(text: string): CellResult<string> {
  const rule = text.toUpperCase()
  const range = rule.split('...').map((end) => end.trim())
  if (range.length > 2 || range.some((end) => end === '' || end.length > 20))
    return { problem: 'is no range of postcodes like 90210...90220' }
  if (range.length === 1 ? /\*./.test(rule) : rule.includes('*'))
    return { problem: 'has a * that is not at the end, like CB23*' }
  if (range.some((end) => !/^[\p{L}\p{N}\s-]*\*?$/u.test(end)))
    return { problem: 'is no postcode: it has letters, digits, spaces and hyphens' }
  const [from = '', to] = range
  if (to !== undefined && isBackwards(from, to))
    return { problem: `ends before it begins: ${to}...${from} is meant, or it covers nothing` }
  return { value: range.join('...') }
}
