import { urls } from '#contract/shared/urls.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import { ComingSoonBanner } from '#web/parts/notices/coming-soon-banner.tsx'
import type { Visit } from '../../http/visit.ts'

/**
 * The visitor's access. `open`: the shop is open to all visitors. Otherwise `staff` sees it, and for others it is
 * `closed`: then no page is cached for all visitors, because an address shows both.
 */
export type ShopAccess = 'open' | 'staff' | 'closed'

export async function shopAccess(visit: Visit): Promise<ShopAccess> {
  if (!visit.app.tools.settings.comingSoon) return 'open'
  if (!visit.hasSessionCookie && !visit.isByToken) return 'closed'
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'shop_manager') ? 'staff' : 'closed'
}

/** Returns the additions to every page's frame before the opening. */
export async function frameBeforeOpening(visit: Visit, access: ShopAccess): Promise<Partial<FrameFacts>> {
  if (access === 'open') return {}
  if (access === 'closed') {
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

/** Calls that fill a cart: before the opening, they must not work without pages either. */
const fillingCalls: ReadonlySet<string> = new Set(['add_to_cart', 'cart/item', 'cart/add-item', 'cart/items', 'batch'])

export async function isClosedFor(visit: Visit, call: string): Promise<boolean> {
  return fillingCalls.has(call) && (await shopAccess(visit)) === 'closed'
}
