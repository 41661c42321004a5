import { listingHooks } from '#contract/shared/hooks.ts'
import { closestTo } from '../../runtime/elements.ts'
import { listen } from '../../runtime/events.ts'

/** Submits the form when another order is chosen; without scripts its button does. */
export function startOrdering(): void {
  listen(document, 'change', (event) => {
    const select = closestTo(event, listingHooks.orderingSelect)
    select?.closest('form')?.requestSubmit()
  })
}
