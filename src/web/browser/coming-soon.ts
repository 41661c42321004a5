import { barHooks } from '#contract/bar-hooks.ts'
import { hideBar } from './bottom-bars.ts'
import { postForm } from './request.ts'

/** Tells the shop that this member of the staff has read that it is not open yet. */
export function startComingSoonBanner(banner: HTMLElement): void {
  const link = banner.querySelector<HTMLElement>(barHooks.dismissComingSoon)
  link?.addEventListener('click', async (event) => {
    event.preventDefault()
    const { restUrl, restNonce = '' } = link.dataset
    // It goes whatever the answer: an unheard dismissal only means that it is there again on the next page.
    if (restUrl) {
      await postForm(
        restUrl,
        { woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } },
        { headers: { 'X-WP-Nonce': restNonce } },
      ).catch(() => undefined)
    }
    hideBar(banner)
  })
}
