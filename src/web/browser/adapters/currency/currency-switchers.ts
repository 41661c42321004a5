import { currencyHooks, leastRoom } from '#contract/currency/hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { followCurrency } from '../../runtime/refresh-on-return.ts'
import { convertCalculator } from './price-calculator.ts'

const { switcher, openClass, upwardsClass } = currencyHooks

/** Starts what the page's currency switchers promise to others: themes, price calculators, caches and kept fragments. */
export function startCurrencies(): void {
  convertCalculator()
  startClasses()
  document.addEventListener('submit', (event) => closestTo(event, switcher) && forgetFragments())
  // A proxy or CDN may cache pages regardless of the chosen currency: a reload bypasses it.
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload')) followCurrency()
}

/** Themes style a list by its classes: whether it is open, and whether it opens upwards, to the side with room. */
function startClasses(): void {
  // Runs before the browser opens the list, so that it never appears on the wrong side.
  document.addEventListener('click', (event) => place(closestTo(event, `${switcher} details:not([open])`)), true)
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.closest(switcher))
        target.classList.toggle(openClass, target.open)
    },
    true,
  )
  const placeOpen = () => allOf(`${switcher} details[open]`).forEach(place)
  for (const moved of ['scroll', 'resize']) addEventListener(moved, placeOpen, { passive: true })
}

function place(details: HTMLElement | undefined): void {
  const trigger = details?.querySelector('summary')
  if (!details || !trigger) return
  const { top, bottom } = trigger.getBoundingClientRect()
  const upwards = innerHeight - bottom < leastRoom && top > leastRoom
  for (const part of [details, trigger, ...allOf(currencyHooks.list, details)])
    part.classList.toggle(upwardsClass, upwards)
}
