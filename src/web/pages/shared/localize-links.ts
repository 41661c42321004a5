import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'

/** The start of an attribute value that may be a path of the shop. */
const beginning = '="/'
const leading = / (?:href|action|formaction)$/i
/** The last letters of these names. */
const f = 0x66
const n = 0x6e
/** Length of the longest name of a URL attribute, with the space before it. */
const longestName = ' formaction'.length

/**
 * Localizes the links and forms of a page's markup, so that a visitor stays in one language, whatever the shop, the
 * merchant's texts and menus link to. A link that names its target's language stays unchanged.
 * @param begin index of the first link to localize
 */
export function linksIn(html: string, shop: Pick<ShopContextValue, 'path'>, begin = 0): string {
  const home = shop.path('/')
  if (home === '/') return html
  let led = ''
  let done = 0
  // A plain search: a regular expression over the whole page takes several times as long.
  for (let at = html.indexOf(beginning, begin); at >= 0; at = html.indexOf(beginning, at + 1)) {
    // Most matches are images: `src` and `srcset` end with other letters.
    const last = html.charCodeAt(at - 1) | 0x20
    if ((last !== f && last !== n) || !leading.test(html.slice(Math.max(0, at - longestName), at))) continue
    const from = at + 2
    // Components with many links localize them themselves: each localized link here copies the page.
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

/** Returns true for an attribute, not for a similar text, if its element does not name its target's language. */
function mayLead(html: string, at: number): boolean {
  const start = html.lastIndexOf('<', at)
  const end = html.indexOf('>', at)
  return start > html.lastIndexOf('>', at) && end > 0 && !/ hreflang="/i.test(html.slice(start, end))
}
