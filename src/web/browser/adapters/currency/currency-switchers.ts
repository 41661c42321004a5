import { currencyHooks } from '#contract/currency/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { followCurrency } from '../../runtime/refresh-on-return.ts'
import { currencyListbox } from './currency-listbox.ts'
import { convertCalculator } from './price-calculator.ts'

/** The switchers of the page. */
export function startCurrencies(): void {
  convertCalculator()
  const boxes = allOf<HTMLFormElement>(currencyHooks.switcher).map(currencyListbox)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const { reset } of boxes) reset()
  })
  // Somebody between the shop and this browser may keep pages without regard to the choice: asked for anew they are not from there.
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload')) followCurrency()
}
