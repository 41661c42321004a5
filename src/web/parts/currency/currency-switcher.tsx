import { currencyHooks } from '#contract/currency/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { classNames } from '../shared/class-names.ts'
import { type CurrencyChoice, useShop } from '../shared/shop-context.tsx'
import { Flag, flagOf } from '../translation/flag.tsx'

/** Translators of any kind must not change currency codes and symbols. */
const untouched = { translate: 'no', 'data-no-translation': '' } as const

/**
 * The display currencies: a list of buttons that submit a form, which works without scripts. After user activity a
 * script turns it into a listbox.
 */
export function CurrencySwitcher({ className }: { className?: string }) {
  const { currencies = [], currency, chosenCurrency = currency, currencyOptions, t } = useShop()
  const present = currencies.find(({ code }) => code === chosenCurrency)
  const [own] = currencies
  if (currencies.length < 2 || !present || !own) return null
  return (
    <form
      className={classNames('currency-switcher', className)}
      method="post"
      action={urls.currency()}
      data-currencies={present.code}
      data-own={own.code}
      data-by-country={currencyOptions?.byCountry ? '' : undefined}
      {...untouched}
    >
      <details name="currencies">
        <summary>
          <span className="screen-reader-text">{t('Currency')} </span>
          <span className={currencyHooks.presentClass}>
            <CurrencyFlag code={present.code} /> {present.code}
          </span>
        </summary>
        <ul className="currency-switcher__list">
          {currencies.map((one) => (
            <li key={one.code}>
              <button
                type="submit"
                name={currencyHooks.name}
                value={one.code}
                aria-current={one === present || undefined}
                className={classNames(currencyHooks.optionClass, one === present && currencyHooks.selectedClass)}
              >
                <CurrencyLabel choice={one} />
              </button>
            </li>
          ))}
        </ul>
      </details>
    </form>
  )
}

function CurrencyLabel({ choice: { code, name, symbol } }: { choice: CurrencyChoice }) {
  const { names = true, symbols = true } = useShop().currencyOptions ?? {}
  return (
    <>
      <CurrencyFlag code={code} />
      {names && <span className="currency-switcher__name">{name}</span>}
      {symbols && symbol !== code && (
        <span className="currency-switcher__symbol">
          (<bdi>{symbol}</bdi>)
        </span>
      )}
      <span className="currency-switcher__code">{code}</span>
    </>
  )
}

/** The flag of a currency: decoration, since a currency is no country. The code is always shown as well. */
function CurrencyFlag({ code }: { code: string }) {
  const { flags = true } = useShop().currencyOptions ?? {}
  const tag = `und-${code.slice(0, 2)}`
  return flags && flagOf(tag) ? <Flag tag={tag} /> : null
}
