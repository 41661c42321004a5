import { urls } from '#contract/shared/urls.ts'
import { publicFile } from '../../http/static-files.ts'
import { newProductsFeed } from '../catalog/feed.ts'
import type { PageRoute } from '../shared/page-routes.ts'
import { robots } from './robots.ts'
import { sitemapIndex, sitemapPart } from './sitemap.ts'
import { webManifest } from './web-manifest.ts'

const icons = ['favicon.svg', 'favicon.ico', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png']

const routes: readonly Omit<PageRoute, 'method' | 'identity'>[] = [
  { path: '/robots.txt', load: 'never', answer: robots },
  { path: urls.sitemap(), load: 'anonymous-page', answer: sitemapIndex },
  { path: '/:file{sitemap-[a-z0-9-]+\\.xml}', load: 'anonymous-page', answer: sitemapPart },
  { path: urls.feed(), load: 'anonymous-page', answer: newProductsFeed },
  { path: urls.manifest(), load: 'never', answer: webManifest },
  ...icons.map(
    (file): Omit<PageRoute, 'method' | 'identity'> => ({
      path: urls.icon(file),
      load: 'never',
      answer: ({ app, request }) => publicFile(app, request, file),
    }),
  ),
]

/** Routes for search engines and other programs: sitemaps, robots.txt, feed, manifest and icons. */
export const findabilityRoutes: readonly PageRoute[] = routes.map((route) => ({
  method: 'GET',
  identity: 'anyone',
  ...route,
}))
