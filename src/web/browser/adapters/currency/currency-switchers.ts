import { currencyHooks } from '#contract/currency/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { followCurrency } from '../../runtime/refresh-on-return.ts'
import { currencyListbox } from './currency-listbox.ts'
import { convertCalculator } from './price-calculator.ts'

/** Starts the page's currency switchers. */
export function startCurrencies(): void {
  convertCalculator()
  const boxes = allOf<HTMLFormElement>(currencyHooks.switcher).map(currencyListbox)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const { reset } of boxes) reset()
  })
  // A proxy or CDN may cache pages regardless of the chosen currency: a reload bypasses it.
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload')) followCurrency()
}
