import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'

/** How the value of an attribute begins that may hold a path of the shop. */
const beginning = '="/'
const leading = / (?:href|action|formaction)$/i
/** The last letters of these names. */
const f = 0x66
const n = 0x6e
/** Of the name of an attribute that leads somewhere, with the space before it. */
const longestName = ' formaction'.length

/**
 * Leads the links and forms of a page's markup to the language of the page: whatever the shop, the merchant's texts and menus
 * link to, who reads German stays with German. A link that names the language of its target goes there as it is.
 * @param begin before it nothing is led
 */
export function linksIn(html: string, shop: Pick<ShopContextValue, 'path'>, begin = 0): string {
  const home = shop.path('/')
  if (home === '/') return html
  let led = ''
  let done = 0
  // By plain search: an expression over the whole page takes several times as long.
  for (let at = html.indexOf(beginning, begin); at >= 0; at = html.indexOf(beginning, at + 1)) {
    // Most of what begins so is a picture: `src` and `srcset` end otherwise.
    const last = html.charCodeAt(at - 1) | 0x20
    if ((last !== f && last !== n) || !leading.test(html.slice(Math.max(0, at - longestName), at))) continue
    const from = at + 2
    // What prints many links leads them itself: a page is put together anew around each that is led here.
    if (html.startsWith(home, from)) continue
    const end = html.indexOf('"', from)
    if (end < 0) break
    const path = html.slice(from, end)
    const there = path.startsWith('//') ? path : shop.path(path)
    if (there === path || !mayLead(html, at)) continue
    led += html.slice(done, from) + there
    done = end
  }
  return done === 0 ? html : led + html.slice(done)
}

/** Whether there is an attribute, not text that looks like one, and its element does not say in what language its target is. */
function mayLead(html: string, at: number): boolean {
  const start = html.lastIndexOf('<', at)
  const end = html.indexOf('>', at)
  return start > html.lastIndexOf('>', at) && end > 0 && !/ hreflang="/i.test(html.slice(start, end))
}
