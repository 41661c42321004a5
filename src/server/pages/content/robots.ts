import { urls } from '#contract/shared/urls.ts'
import type { Visit } from '../../http/visit.ts'
import { publishedPrefixes } from '../../translation/alternate-links.ts'

/**
 * Addresses that do something, or that are one visitor's own. The cart and the checkout themselves are left open: they say by
 * themselves that they are not to be listed, which nobody could read who is kept out.
 */
const closed = [
  `${urls.cart()}?`,
  '/checkout/order-pay/',
  '/checkout/order-received/',
  urls.walletStart(),
  urls.walletReturn(),
  urls.walletCancel(),
  '/download/',
  urls.account(),
  '/pay/',
  '/*?add-to-cart=',
  '/*&add-to-cart=',
  '/*?wc-ajax=',
  urls.searchSuggestions(),
  '/wp-admin/',
  '/wp-json/',
]

/** What search engines may come to, and where they find what there is. While the shop is closed: nothing. */
export async function robots({ app }: Visit): Promise<Response> {
  const { settings, publicUrl } = app.tools
  const leads = await publishedPrefixes(app)
  // A pattern holds for every language already.
  const paths = closed.flatMap((path) => (path.startsWith('/*') ? [path] : leads.map((lead) => lead(path))))
  const lines = settings.comingSoon
    ? ['Disallow: /']
    : [...[...new Set(paths)].map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}${urls.sitemap()}`]
  return new Response(`${['User-agent: *', ...lines].join('\n')}\n`, {
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      // A shop that opens is found at once.
      'Cache-Control': settings.comingSoon ? 'no-cache' : 'public, max-age=3600',
    },
  })
}
