import { hash } from 'node:crypto'
import { ownCopy } from '#shop/shared/copy-string.ts'
import type { MarkupPieces } from '#web/pages/shared/markup-bytes.ts'
import {
  acceptedEncoding,
  type Bytes,
  bytesOf,
  compress,
  compressInThread,
  compressText,
  type Encoding,
  expand,
  firstEncoding,
} from '../http/compression.ts'
import { limitConcurrency } from '../http/serial-queue.ts'
import type { PageFacts } from '../statistics/page-facts.ts'

/**
 * A finished page that is the same for all visitors: bytes and headers, compressed once. The plain bytes are dropped
 * once they are compressed, which saves nine tenths of the memory. A client without an encoding gets them decompressed.
 */
export type CachedPage = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly encoded: Map<Encoding, Bytes>
  readonly madeAt: number
  /** Facts for the statistics when it is served; absent: it is not counted. */
  readonly facts?: PageFacts
  /** Cache tags of its content (`cache-tags.ts`); absent: every change evicts it. */
  readonly tags?: readonly string[]
}

/** Caches pages by address. Evicts the least recently used page first, and pages that show a change. */
export type PageCache = {
  /** Returns a fresh page, or a stale page while another request rebuilds it. */
  get(key: string): CachedPage | undefined
  /** Returns a stale page to the first request, which must rebuild it. Other requests get the stale page meanwhile. */
  stale(key: string): CachedPage | undefined
  /** Stores a page, unless pages were evicted since `generation` was read: its content may be outdated. */
  put(key: string, page: CachedPage, generation: number): void
  /**
   * Builds a page once for all concurrent requests, with a limit on concurrent builds. A `Response` is not shared
   * between requests.
   */
  buildOnce(key: string, make: () => Promise<CachedPage | Response>): Promise<CachedPage | Response>
  readonly generation: number
  /** Evicts the pages that have any of these tags. */
  forget(tags: Iterable<string>): void
  clear(): void
}

/** @property isRecompressed set on the second request: a page that is requested once is not worth the effort */
type CacheEntry = CachedPage & { readonly bytes: number; renewedUntil: number; isRecompressed: boolean }

/** A page build in progress, shared by waiting requests. Null: the result is not a page. */
type PageBuild = PromiseWithResolvers<CachedPage | null> & { begunAt: number }

/** Caches nothing: for content that only some visitors may see. */
export const noPages: PageCache = {
  get: () => undefined,
  stale: () => undefined,
  put: () => {},
  buildOnce: (_, make) => make(),
  generation: 0,
  forget: () => {},
  clear: () => {},
}

/**
 * Limits concurrent page builds; further requests wait. The shop has one thread: fifty concurrent builds each take
 * fifty times as long, and their garbage survives long enough to be promoted to the old generation (decision 0075).
 * With a database that takes 20 ms per answer, the limit still allows several hundred builds a second.
 */
const maxConcurrentBuilds = 16

/**
 * After this time a waiting request starts a second build, as a reload would. A silently lost database connection hangs
 * for a quarter of an hour, and must not block all requests of the page for so long.
 */
export const buildTimeoutMs = 5_000

/** Time allowed for a rebuild before the next request starts another. */
const renewalMs = 2_000

/**
 * @param maxBytes total size of the pages at the time they are stored
 * @param staleMs how long a stale page may be served while it is rebuilt; 0 by default
 */
export function createPageCache({
  maxBytes,
  lifeMs,
  staleMs = 0,
  now,
}: {
  maxBytes: number
  lifeMs: number
  staleMs?: number
  now: () => number
}): PageCache {
  const pages = new Map<string, CacheEntry>()
  const making = new Map<string, PageBuild>()
  const limited = limitConcurrency(maxConcurrentBuilds)
  let bytes = 0
  let generation = 0
  const drop = (key: string, page: { readonly bytes: number }) => {
    pages.delete(key)
    bytes -= page.bytes
  }
  return {
    get(key) {
      const page = pages.get(key)
      if (!page) return undefined
      const at = now()
      if (at - page.madeAt > lifeMs) {
        if (at - page.madeAt <= lifeMs + staleMs) return at < page.renewedUntil ? page : undefined
        drop(key, page)
        return undefined
      }
      pages.delete(key)
      pages.set(key, page)
      if (page.encoded.has('zstd') && !page.isRecompressed) {
        page.isRecompressed = true
        // On failure the page keeps its encoding.
        recompress(page).catch(() => {})
      }
      return page
    },
    stale(key) {
      const page = pages.get(key)
      if (page) page.renewedUntil = now() + renewalMs
      return page
    },
    put(key, page, madeIn) {
      const size = sizeOf(page)
      if (madeIn !== generation || size > maxBytes / 4) return
      const before = pages.get(key)
      if (before) drop(key, before)
      // Copied: a slice would keep the whole address with its query in memory.
      pages.set(ownCopy(key), { ...page, bytes: size, renewedUntil: 0, isRecompressed: false })
      bytes += size
      for (const [oldest, old] of pages) {
        if (bytes <= maxBytes) break
        drop(oldest, old)
      }
    },
    async buildOnce(key, make) {
      // A build begun before a change must not serve requests that arrive after it.
      const place = `${generation} ${key}`
      const before = making.get(place)
      const hangs = before !== undefined && now() - before.begunAt > buildTimeoutMs
      const pending = before && !hangs ? await before.promise : null
      if (pending) return pending
      const shared = hangs ? before : { ...Promise.withResolvers<CachedPage | null>(), begunAt: 0 }
      // Infinite until the build gets a slot.
      shared.begunAt = Number.POSITIVE_INFINITY
      // The building request throws the error itself; this avoids an unhandled rejection when no other request waits.
      shared.promise.catch(() => {})
      making.set(place, shared)
      const own = limited(() => {
        shared.begunAt = now()
        return make()
      })
      const over = () => void (making.get(place) === shared && making.delete(place))
      own.then((made) => shared.resolve(made instanceof Response ? null : made), shared.reject).then(over)
      return own
    },
    get generation() {
      return generation
    },
    forget(tags) {
      const changed = new Set(tags)
      if (changed.size === 0) return
      generation += 1
      for (const [key, page] of pages) {
        if (!page.tags || page.tags.some((tag) => changed.has(tag))) drop(key, page)
      }
    },
    clear() {
      generation += 1
      pages.clear()
      bytes = 0
    },
  }
}

/** Headers and bookkeeping of a page take about as much memory as a small page. */
const overhead = 4_000

function sizeOf({ encoded }: CachedPage): number {
  return overhead + [...encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0)
}

/**
 * Creates a page for the cache. Compresses it at once where that is fast, and stores plain bytes otherwise.
 * @param offers `Accept-Encoding` of the first request
 */
export function makePage(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: MarkupPieces,
  madeAt: number,
  offers: string | null = null,
): CachedPage {
  let digest = ''
  const look = (bytes: Uint8Array) => {
    digest = hash('sha256', bytes, 'base64url')
  }
  const encoding = encodingOf({ encoded: new Map(), headers }, offers)
  const compressed = compressText(text, encoding, look)
  const plain = compressed ? null : bytesOf(text)
  if (plain) look(plain)
  const etag = `W/"${digest.slice(0, 22)}"`
  const encoded = new Map<Encoding, Bytes>()
  if (compressed) encoded.set(encoding, compressed)
  if (plain) encoded.set('identity', plain)
  return { status, headers: { ...headers, ETag: etag }, etag, encoded, madeAt }
}

/**
 * Checks whether the client has the current page. A cache with several versions sends all their tags, and some turn our
 * weak tags into strong ones.
 * @param header `If-None-Match` (RFC 9110 §13.1.2)
 */
export function isKnown({ etag }: Pick<CachedPage, 'etag'>, header: string | null | undefined): boolean {
  if (!header) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.slice(2))
}

/**
 * Returns the best encoding that the client accepts: the smallest if it exists already, otherwise a quick one. A CDN
 * keeps the first answer, so for it the page is compressed thoroughly at once.
 * @param header `Accept-Encoding`
 */
export function encodingOf(
  { encoded, headers }: Pick<CachedPage, 'encoded' | 'headers'>,
  header: string | null | undefined,
): Encoding {
  const small = acceptedEncoding(header)
  if (encoded.has(small) || headers['Cache-Control']?.includes('s-maxage=')) return small
  return firstEncoding(header)
}

/** Compressions in progress, by a page's bytes. Concurrent requests for the same encoding share one. */
const compressions = new WeakMap<CachedPage['encoded'], Map<Encoding, Promise<Bytes>>>()

/** Returns the page's bytes in an encoding. Compresses them on the first request, once for all concurrent requests. */
export async function encodedBody(page: CachedPage, encoding: Encoding): Promise<Bytes> {
  const done = page.encoded.get(encoding)
  if (done) return done
  const making = compressions.get(page.encoded) ?? new Map<Encoding, Promise<Bytes>>()
  compressions.set(page.encoded, making)
  const pending = making.get(encoding)
  if (pending) return pending
  const own = inEncoding(page, encoding).finally(() => making.delete(encoding))
  making.set(encoding, own)
  return own
}

async function inEncoding(page: CachedPage, encoding: Encoding): Promise<Bytes> {
  const plain = await plainBytes(page)
  if (encoding === 'identity') return plain
  const bytes = await compress(plain, encoding)
  page.encoded.set(encoding, bytes)
  page.encoded.delete('identity')
  return bytes
}

/** Replaces the quick encoding by a smaller one for later requests. Every client that accepts zstd accepts br. */
async function recompress(page: CachedPage): Promise<void> {
  const small = await compressInThread(await plainBytes(page), 'br')
  if (small.length >= (page.encoded.get('zstd')?.length ?? Infinity)) return
  page.encoded.set('br', small)
  page.encoded.delete('zstd')
}

async function plainBytes({ encoded }: CachedPage): Promise<Bytes> {
  const plain = encoded.get('identity')
  if (plain) return plain
  for (const encoding of ['zstd', 'br', 'gzip'] as const) {
    const bytes = encoded.get(encoding)
    if (bytes) return expand(bytes, encoding)
  }
  throw new Error('the cached page has no bytes')
}
