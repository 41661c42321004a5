import { addressesIn } from '#shop/translation/localized-paths.ts'
import { isRead } from '../translation/locale-routing.ts'
import type { Visit } from './visit.ts'

/** Addresses that programs ask for; nobody types them. */
const notTyped =
  /^\/(assets|media|cards|theme|address-data|download|pay|search-suggestions|wp-[a-z]+|healthz|readyz|metrics)(\/|$)/i

/**
 * The address that somebody meant who wrote `/Shop`, `/product//vase` or a slug in capitals: the same in small letters, with
 * one slash between its parts and one at its end. Null: it is written so, or leads to a file.
 */
export function usualPath(path: string): string | null {
  if (notTyped.test(path)) return null
  const decoded = readable(path)
  // An escaped slash or percent sign means itself; it would not come back from here as it was.
  if (decoded === null || decoded.includes('%')) return null
  const small = decoded.toLowerCase().replace(/\/{2,}/g, '/')
  const bare = small.replace(/\/$/, '')
  // Files stand at the top alone: a point in a further part is one of a name.
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
 * Leads on from an address where nothing is to the usual way of writing it, or out of the words of another language, when
 * something is there.
 * @param look answers with where a stranger who asks for an address is led in the end; null: nothing is there
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

/** What a path means in the other languages of the shop, where that is something else. */
async function pathsElsewhere({ app, url: { pathname } }: Visit): Promise<Set<string>> {
  const others = app.languages().filter(({ tag, published }) => published && tag !== app.language.tag)
  const known = await Promise.all(
    others.map(async ({ tag }) => (await addressesIn(app.inLanguage(tag).tools)).known(pathname)),
  )
  return new Set(known.filter((path) => path !== pathname))
}
