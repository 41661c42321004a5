import { urls } from '#contract/shared/urls.ts'
import type { Visit } from '../../http/visit.ts'
import { publishedPrefixes } from '../../translation/alternate-links.ts'

/**
 * Paths that change something or are private. Cart and checkout stay open: they send `noindex`, which a blocked crawler
 * could not read.
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

/** Answers robots.txt: the paths that search engines may crawl, and the sitemap. Before the shop opens: none. */
export async function robots({ app }: Visit): Promise<Response> {
  const { settings, publicUrl } = app.tools
  const leads = await publishedPrefixes(app)
  // A pattern matches paths of every language.
  const paths = closed.flatMap((path) => (path.startsWith('/*') ? [path] : leads.map((lead) => lead(path))))
  const lines = settings.comingSoon
    ? ['Disallow: /']
    : [...[...new Set(paths)].map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}${urls.sitemap()}`]
  return new Response(`${['User-agent: *', ...lines].join('\n')}\n`, {
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      // Not cached before the opening, so that crawlers notice it at once.
      'Cache-Control': settings.comingSoon ? 'no-cache' : 'public, max-age=3600',
    },
  })
}
