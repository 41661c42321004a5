import { currencyHooks } from '#contract/currency-hooks.ts'
import { cookie } from './cookies.ts'
import { currencyListbox } from './currency-listbox.ts'
import { allOf } from './elements.ts'
import { convertCalculator } from './price-calculator.ts'

/** The switchers of the page, and what a page does that is seen again after the choice was made elsewhere. */
export function startCurrencies(): void {
  convertCalculator()
  const forms = allOf<HTMLFormElement>(currencyHooks.switcher)
  const boxes = forms.map(currencyListbox)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    for (const { reset } of boxes) reset()
    followChoice(forms)
  })
  // Another tab may have chosen meanwhile.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && followChoice(forms))
  // Somebody between the shop and this browser may keep pages without regard to the choice: asked for anew they are not from there.
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload')) followChoice(forms)
}

/** Prices of another currency than the chosen one are not left standing. */
function followChoice([form]: readonly HTMLFormElement[]): void {
  if (!form) return
  const { currencies: shown, own = '', byCountry } = form.dataset
  const chosen = cookie(currencyHooks.name)
  // Without a choice the country may decide, of which a browser knows nothing.
  if (chosen === undefined && byCountry !== undefined) return
  if ((chosen || own) !== shown) location.reload()
}
