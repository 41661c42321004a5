import { pageTags } from './cache-tags.ts'

/** The CDNs that the shop can purge, by their purge API. */
export const purgeWays = ['fastly', 'cloudflare', 'varnish'] as const

export type PurgeSettings = {
  readonly way: (typeof purgeWays)[number]
  /** Without a trailing slash. The API URL of the service or zone; for Varnish the URL of each cache. */
  readonly addresses: readonly string[]
  /** Null: the cache authenticates the shop by its IP address alone. */
  readonly token: string | null
}

export type PurgeCall = {
  readonly url: string
  readonly method: 'POST' | 'PURGE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Way = {
  /** Maximum number of tags in one call. */
  readonly mostTags: number
  /** Maximum size of the tags of one call, with one separator each. */
  readonly mostBytes: number
  call(address: string, token: string, tags: readonly string[]): PurgeCall
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

const ways: Readonly<Record<PurgeSettings['way'], Way>> = {
  /**
   * https://www.fastly.com/documentation/reference/api/purging/: up to 256 keys per request; the token needs only
   * `purge_select`.
   */
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
   * https://developers.cloudflare.com/api/resources/cache/methods/purge/: at most 30 tags per request for years, now
   * 100. Permissions and rate limits are at https://developers.cloudflare.com/cache/how-to/purge-cache/: 5 a minute on
   * the smallest plan, with bursts of 25.
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
   * Served by `deploy/varnish/shop.vcl` through vmod_xkey
   * (https://github.com/varnish/varnish-modules/blob/master/src/vmod_xkey.vcc). Varnish accepts 8,192 bytes per header
   * by default (`http_req_hdr_len`).
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

/** Above this number of calls a full purge is faster. */
const mostCalls = 3

/**
 * Returns the calls that purge the pages with any of these tags.
 * @param tags null: all pages. Images and scripts stay: their names change with their content
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
