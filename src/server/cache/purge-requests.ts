import { pageTags } from './cache-tags.ts'

/** The caches that the shop can tell, by whose way of being told. */
export const purgeWays = ['fastly', 'cloudflare', 'varnish'] as const

export type PurgeSettings = {
  readonly way: (typeof purgeWays)[number]
  /** Without a slash at the end: of the service or zone at its API; of Varnish, one for each cache. */
  readonly addresses: readonly string[]
  /** Null: the cache knows the shop by its address alone. */
  readonly token: string | null
}

export type PurgeCall = {
  readonly url: string
  readonly method: 'POST' | 'PURGE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Way = {
  /** Tags in one call. */
  readonly mostTags: number
  /** Of the tags of one call, with a separator each. */
  readonly mostBytes: number
  call(address: string, token: string, tags: readonly string[]): PurgeCall
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

const ways: Readonly<Record<PurgeSettings['way'], Way>> = {
  /** https://www.fastly.com/documentation/reference/api/purging/: up to 256 keys in one request; `purge_select` is enough of a token. */
  fastly: {
    mostTags: 256,
    mostBytes: 64_000,
    call: (address, token, tags) => ({
      url: `${address}/purge`,
      method: 'POST',
      headers: { ...json, 'fastly-key': token },
      body: JSON.stringify({ surrogate_keys: tags }),
    }),
  },
  /**
   * https://developers.cloudflare.com/api/resources/cache/methods/purge/: it has said 30 tags in one request for years, and says 100
   * by now. Who may purge, and how often, is in https://developers.cloudflare.com/cache/how-to/purge-cache/: 5 a minute on the
   * smallest plan, 25 of them at once.
   */
  cloudflare: {
    mostTags: 30,
    mostBytes: 64_000,
    call: (address, token, tags) => ({
      url: `${address}/purge_cache`,
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ tags }),
    }),
  },
  /**
   * `deploy/varnish/shop.vcl` answers it, by vmod_xkey (https://github.com/varnish/varnish-modules/blob/master/src/vmod_xkey.vcc).
   * Varnish takes 8,192 bytes of a header unless told otherwise (`http_req_hdr_len`).
   */
  varnish: {
    mostTags: 256,
    mostBytes: 4_000,
    call: (address, token, tags) => ({
      url: `${address}/`,
      method: 'PURGE',
      headers: { 'surrogate-key': tags.join(' '), ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    }),
  },
}

/** What takes more is quicker told as a whole. */
const mostCalls = 3

/**
 * The calls by which a cache lets go of the pages that show any of these.
 * @param tags null: of all pages. Pictures and scripts stay: what changes in them changes their names
 */
export function purgeCalls(
  { way, token }: Pick<PurgeSettings, 'way' | 'token'>,
  address: string,
  tags: readonly string[] | null,
): { readonly calls: readonly PurgeCall[]; readonly all: boolean } {
  const own = ways[way]
  const some = tags === null ? null : batches(tags, own)
  const all = some === null || some.length > mostCalls
  const lists = some === null || all ? [[pageTags.page]] : some
  return { calls: lists.map((list) => own.call(address, token ?? '', list)), all }
}

function batches(tags: readonly string[], { mostTags, mostBytes }: Way): string[][] {
  const made: string[][] = []
  let bytes = 0
  for (const tag of new Set(tags)) {
    const last = made.at(-1)
    if (last && last.length < mostTags && bytes + tag.length + 1 <= mostBytes) last.push(tag)
    else {
      made.push([tag])
      bytes = 0
    }
    bytes += tag.length + 1
  }
  return made
}
