import { addressesIn } from '#shop/translation/localized-paths.ts'
import { isRead } from '../translation/locale-routing.ts'
import type { Visit } from './visit.ts'

/** Addresses that programs request; visitors do not type them. */
const notTyped =
  /^\/(assets|media|cards|theme|address-data|download|pay|search-suggestions|wp-[a-z]+|healthz|readyz|metrics)(\/|$)/i

/**
 * Returns the canonical form of a path such as `/Shop`, `/product//vase` or a slug in capitals: lower case, one slash
 * between parts and one at the end. Null: the path is canonical already, or names a file.
 */
export function usualPath(path: string): string | null {
  if (notTyped.test(path)) return null
  const decoded = readable(path)
  // An escaped slash or percent sign is literal; decoding and encoding would not preserve it.
  if (decoded === null || decoded.includes('%')) return null
  const small = decoded.toLowerCase().replace(/\/{2,}/g, '/')
  const bare = small.replace(/\/$/, '')
  // Only paths at the root are files: a dot in a deeper part belongs to a name.
  const usual = /^\/[^/]+\.[a-z0-9]+$/.test(bare) ? bare : `${bare}/`
  return usual === decoded ? null : encodeURI(usual)
}

function readable(path: string): string | null {
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}

/**
 * Redirects from a missing page to its canonical path, or to the path that another language has for it, if that exists.
 * @param look resolves an address to the final target of an anonymous request; null: not found
 */
export async function movedElsewhere(
  visit: Visit,
  look: (url: URL) => Promise<string | null>,
): Promise<Response | null> {
  if (!isRead(visit.request)) return null
  const usual = usualPath(visit.url.pathname)
  for (const path of [...(usual === null ? [] : [usual]), ...(await pathsElsewhere(visit))]) {
    const there = await look(new URL(visit.path(path) + visit.url.search, visit.url))
    if (there === null) continue
    const headers = { Location: there, 'Cache-Control': path === usual ? 'public, max-age=3600' : 'no-cache' }
    return new Response(null, { status: 301, headers })
  }
  return null
}

/** Returns the shop's own paths that a path stands for in other languages, where they differ. */
async function pathsElsewhere({ app, url: { pathname } }: Visit): Promise<Set<string>> {
  const others = app.languages().filter(({ tag, published }) => published && tag !== app.language.tag)
  const known = await Promise.all(
    others.map(async ({ tag }) => (await addressesIn(app.inLanguage(tag).tools)).known(pathname)),
  )
  return new Set(known.filter((path) => path !== pathname))
}
