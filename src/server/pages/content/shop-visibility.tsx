import { urls } from '#contract/shared/urls.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import { ComingSoonBanner } from '#web/parts/notices/coming-soon-banner.tsx'
import type { Visit } from '../../http/visit.ts'

/**
 * Whether this visitor may come in. `open`: the shop is open to everybody. Else `staff` sees it, and for everybody else it is
 * `closed`: then no page is kept for others, since the same address shows the one and the other.
 */
export type ShopAccess = 'open' | 'staff' | 'closed'

export async function shopAccess(visit: Visit): Promise<ShopAccess> {
  if (!visit.app.tools.settings.comingSoon) return 'open'
  if (!visit.hasSessionCookie) return 'closed'
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'shop_manager') ? 'staff' : 'closed'
}

/** What every page adds to its frame before the shop is open. */
export async function frameBeforeOpening(visit: Visit, door: ShopAccess): Promise<Partial<FrameFacts>> {
  if (door === 'open') return {}
  if (door === 'closed') {
    const pages = visit.app.content.contentPages(visit.app.language.tag).filter(({ menu }) => menu !== 'none')
    return { robots: 'noindex', bare: pages.map(({ slug, title }) => ({ url: urls.page(slug), text: title })) }
  }
  const { customerId, state } = await visit.session()
  if (customerId === null || state.comingSoonDismissed) return { robots: 'noindex' }
  const banner = (
    <ComingSoonBanner restUrl={visit.path(urls.restUser(customerId))} nonce={await visit.nonce('wp_rest')} />
  )
  return { robots: 'noindex', footer: banner }
}

/** Calls that put something into a cart: what is not for sale yet is not sold by going round the pages either. */
const fillingCalls: ReadonlySet<string> = new Set(['add_to_cart', 'cart/item'])

export async function isClosedFor(visit: Visit, call: string): Promise<boolean> {
  return fillingCalls.has(call) && (await shopAccess(visit)) === 'closed'
}
