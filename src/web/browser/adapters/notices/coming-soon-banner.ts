import { barHooks } from '#contract/notices/banner-hooks.ts'
import { restPlace } from '#contract/shared/rest.ts'
import { formBody } from '../../runtime/request.ts'
import { createRest } from '../rest/rest.ts'

/** Tells the shop that this member of the staff has read that it is not open yet. */
export function startComingSoonBanner(banner: HTMLElement, hideBar: (bar: HTMLElement) => void): void {
  const link = banner.querySelector<HTMLElement>(barHooks.dismissComingSoon)
  link?.addEventListener('click', async (event) => {
    event.preventDefault()
    const { restUrl, restNonce = '' } = link.dataset
    // The banner is hidden in any case: after a failed request it appears again on the next page.
    if (restUrl) {
      const rest = createRest({ ...restPlace, nonce: restNonce })
      const body = formBody({ woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } })
      await rest({ url: restUrl, method: 'POST', body }).catch(() => undefined)
    }
    hideBar(banner)
  })
}
