import { isPayableCurrency } from '#paypal/amounts.ts'
import { type CurrencyState, currencyStates } from '../../currency/offered-currencies.ts'
import type { ShopConfiguration } from '../settings/shop-configuration.ts'
import type { LiveFinding } from './check-live.ts'

/** Checks that the merchant's currencies can be shown and charged. */
export function checkCurrencies(
  configuration: Pick<ShopConfiguration, 'settings' | 'rates'>,
  now: Date,
): readonly LiveFinding[] {
  const { currency: own, exchange, paypal } = configuration.settings
  return currencyStates(configuration, now).map((entry): LiveFinding => {
    const { code, state, setting } = entry
    if (state !== 'offered')
      return { what: `currency ${code} is not offered: ${reasonOf(entry)}`, state: 'look', advice: adviceFor(entry) }
    const paid = exchange.checkoutInShown && setting.checkout
    if (paid && paypal.enabled && !isPayableCurrency(code))
      return {
        what: `currency ${code}: PayPal takes no payments in it`,
        state: 'look',
        advice: `Who sees it pays in another way, or in ${own}.`,
      }
    return { what: `currency ${code}: offered, ${paid ? 'and taken' : `paid in ${own}`}`, state: 'ok', advice: '' }
  })
}

function reasonOf({ state, day, problem }: CurrencyState): string {
  if (state === 'unworkable') return problem
  return state === 'no-rate' ? 'there is no rate of it' : `its rate is of ${day}`
}

function adviceFor({ state, code }: CurrencyState): string {
  return state === 'unworkable'
    ? `currencies set ${code}, or currencies remove ${code}`
    : 'currencies says why, currencies update asks for newer ones'
}
