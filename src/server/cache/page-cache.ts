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
 * A finished page that belongs to nobody: bytes and headers, compressed once for everybody. Once compressed, the plain bytes
 * are let go: a tenth of the memory holds the same pages, and who asks for plain bytes gets them unpacked.
 */
export type CachedPage = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly encoded: Map<Encoding, Bytes>
  readonly madeAt: number
  /** What it counts as when it is handed out; left out: it is no page. */
  readonly facts?: PageFacts
  /** What it shows (`cache-tags.ts`); left out: it is forgotten with every change. */
  readonly tags?: readonly string[]
}

/** Pages by address. The oldest use leaves first; what a change shows in leaves with it. */
export type PageCache = {
  /** One whose time is not over, or is over while somebody makes it anew. */
  get(key: string): CachedPage | undefined
  /** One whose time has just passed, for the first who asks: who gets it makes it anew, and all others go on with it meanwhile. */
  stale(key: string): CachedPage | undefined
  /** Keeps a page unless anything was forgotten since `generation` was read: what it shows may be of before. */
  put(key: string, page: CachedPage, generation: number): void
  /** Makes a page once for all who ask for it at the same time, few at a time. An answer that is no page is everybody's own. */
  buildOnce(key: string, make: () => Promise<CachedPage | Response>): Promise<CachedPage | Response>
  readonly generation: number
  /** Lets go of the pages that show any of these. */
  forget(tags: Iterable<string>): void
  clear(): void
}

/** @property isMadeSmall once it was asked for again: a page that nobody wants a second time is not worth the effort */
type KeptPage = CachedPage & { readonly bytes: number; renewedUntil: number; isMadeSmall: boolean }

/** A page that is being made, for those who wait for it; null: it is none. */
type Making = PromiseWithResolvers<CachedPage | null> & { begunAt: number }

/** Keeps nothing: what only some may see. */
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
 * So many pages are made at a time; who asks for another waits for one of them. A shop is one thread: with fifty under way at
 * once each takes fifty times as long, and what it is made of lives long enough to be taken for lasting (decision 0075). Of a
 * database that takes 20 ms for an answer they are still some hundreds a second.
 */
const madeAtOnce = 16

/**
 * Whoever comes then begins anew, as one does who loads a page again. A connection that was lost without a word answers nothing for a
 * quarter of an hour, and a page that was asked for over it must not keep everybody waiting for so long.
 */
export const buildTimeoutMs = 5_000

/** How long somebody who makes a page anew may take before the next one tries. */
const renewalMs = 2_000

/**
 * @param maxBytes of the pages as they are when they are put in
 * @param staleMs for how long a page whose time is over may go out while it is made anew; not at all unless told
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
  const pages = new Map<string, KeptPage>()
  const making = new Map<string, Making>()
  const inLane = limitConcurrency(madeAtOnce)
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
      if (page.encoded.has('zstd') && !page.isMadeSmall) {
        page.isMadeSmall = true
        // It stays as it is then.
        makeSmall(page).catch(() => {})
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
      // Cut out of an address, which may ask for much behind its path.
      pages.set(ownCopy(key), { ...page, bytes: size, renewedUntil: 0, isMadeSmall: false })
      bytes += size
      for (const [oldest, old] of pages) {
        if (bytes <= maxBytes) break
        drop(oldest, old)
      }
    },
    async buildOnce(key, make) {
      // What was begun before a change is not for those who ask after it.
      const place = `${generation} ${key}`
      const before = making.get(place)
      const hangs = before !== undefined && now() - before.begunAt > buildTimeoutMs
      const theirs = before && !hangs ? await before.promise : null
      if (theirs) return theirs
      const shared = hangs ? before : { ...Promise.withResolvers<CachedPage | null>(), begunAt: 0 }
      // Until it has a lane.
      shared.begunAt = Number.POSITIVE_INFINITY
      // Who makes it fails by itself, also when nobody waits.
      shared.promise.catch(() => {})
      making.set(place, shared)
      const mine = inLane(() => {
        shared.begunAt = now()
        return make()
      })
      const over = () => void (making.get(place) === shared && making.delete(place))
      mine.then((made) => shared.resolve(made instanceof Response ? null : made), shared.reject).then(over)
      return mine
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

/** Headers and bookkeeping of a page take about as much as a small page. */
const overhead = 4_000

function sizeOf({ encoded }: CachedPage): number {
  return overhead + [...encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0)
}

/**
 * A page to be kept, its bytes in an encoding where they can be made at once, and else as they are.
 * @param offers `Accept-Encoding` of whoever asks for it first
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
 * Whether somebody has the page already. A cache that holds several answers names the tags of all, and some make strong ones of ours.
 * @param header `If-None-Match` (RFC 9110 §13.1.2)
 */
export function isKnown({ etag }: Pick<CachedPage, 'etag'>, header: string | null | undefined): boolean {
  if (!header) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.slice(2))
}

/**
 * The best encoding of a page that a browser takes: as small as it has been made meanwhile, else quickly. A cache in front keeps
 * what it is given first, so that is small at once.
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

/** By the bytes that a page has: who asks for others while these are made waits for them. */
const underWay = new WeakMap<CachedPage['encoded'], Map<Encoding, Promise<Bytes>>>()

/** The page's bytes in an encoding, compressed when first asked for: once for all who ask for them at the same time. */
export async function encodedBody(page: CachedPage, encoding: Encoding): Promise<Bytes> {
  const done = page.encoded.get(encoding)
  if (done) return done
  const making = underWay.get(page.encoded) ?? new Map<Encoding, Promise<Bytes>>()
  underWay.set(page.encoded, making)
  const theirs = making.get(encoding)
  if (theirs) return theirs
  const mine = inEncoding(page, encoding).finally(() => making.delete(encoding))
  making.set(encoding, mine)
  return mine
}

async function inEncoding(page: CachedPage, encoding: Encoding): Promise<Bytes> {
  const plain = await plainBytes(page)
  if (encoding === 'identity') return plain
  const bytes = await compress(plain, encoding)
  page.encoded.set(encoding, bytes)
  page.encoded.delete('identity')
  return bytes
}

/** Puts what was compressed quickly in a small form, for all who come later. Whoever takes that one takes this one. */
async function makeSmall(page: CachedPage): Promise<void> {
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
  throw new Error('a page was kept without its bytes')
}
