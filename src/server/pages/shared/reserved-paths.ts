import { reservedPath } from '#contract/shared/reserved-paths.ts'
import { type Languages, languagePaths, slugProblem } from '#shop/translation/slug-problem.ts'
import { pageRoutes } from './page-routes.ts'

/** First segments of the shop's own routes: `cart`, `product`. */
const routePaths: ReadonlySet<string> = new Set(
  pageRoutes.map(({ path }) => path.split('/')[1] ?? '').filter((part) => part !== '' && !part.startsWith(':')),
)

const noPages: ReadonlySet<string> = new Set()

/** @returns whether the shop itself uses a first path segment, so that no static page can have it */
export function isOwnAddress(slug: string, settings: Languages): boolean {
  if (routePaths.has(slug) || reservedPath(slug) !== null) return true
  const neighbours = { languages: languagePaths(settings), pages: noPages, others: () => [] }
  return slugProblem({ kind: 'page', own: slug, translated: slug }, neighbours) !== null
}
