import { urls } from '#contract/shared/urls.ts'
import { CurrencySwitcher as CurrencySwitcherIsland } from '../../islands/currency/currency-switcher.tsx'
import { Island } from '../../islands/island.tsx'
import { classNames } from '../shared/class-names.ts'
import { useShop } from '../shared/shop-context.tsx'
import { flagOf } from '../translation/flag.tsx'

/** The display currencies. @param place where it stands on the page, once each */
export function CurrencySwitcher({ place }: { place: 'header' | 'footer' }) {
  const { currencies = [], currency, chosenCurrency = currency, currencyOptions, path, t } = useShop()
  const { flags = true, names = true, symbols = true, byCountry = false } = currencyOptions ?? {}
  const [own] = currencies
  if (currencies.length < 2 || !own || !currencies.some(({ code }) => code === chosenCurrency)) return null
  const options = currencies.map(({ code, name, symbol }) => {
    // Decoration, since a currency is no country.
    const flag = flags && flagOf(`und-${code.slice(0, 2)}`)
    return { code, ...(names && { name }), ...(symbols && symbol !== code && { symbol }), ...(flag && { flag }) }
  })
  return (
    <Island
      name="currency-switcher"
      when="interaction"
      prefix={place}
      component={CurrencySwitcherIsland}
      props={{
        className: classNames('currency-switcher', `currency-switcher--${place}`),
        action: path(urls.currency()),
        options,
        present: chosenCurrency,
        own: own.code,
        byCountry,
        label: t('Currency'),
      }}
    />
  )
}
