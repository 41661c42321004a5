import { companionEvents } from '#contract/shared/events.ts'
import { listingHooks } from '#contract/shared/hooks.ts'
import { closestTo } from '../../runtime/elements.ts'

/** Reports which product of a list the visitor opens. The shop's lists have no names, so none is sent. */
export function startViewedProducts(): void {
  document.addEventListener('click', (event) => {
    const card = closestTo(event, `${listingHooks.productLink}[href]`)?.closest('li')
    const [, id] = /(?:^|\s)post-(\d+)(?:\s|$)/.exec(card?.className ?? '') ?? []
    if (!id) return
    const detail = { productId: Number(id) }
    document.body.dispatchEvent(new CustomEvent(companionEvents.productViewed, { bubbles: true, detail }))
  })
}
