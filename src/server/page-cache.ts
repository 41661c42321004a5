import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  constants,
  gunzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import { inLanes } from './lanes.ts'
import type { PageFacts } from './statistics-views.ts'

/**
 * A finished page that belongs to nobody: bytes and headers, compressed once for everybody. Once compressed, the plain bytes
 * are let go: a tenth of the memory holds the same pages, and who asks for plain bytes gets them unpacked.
 */
export type CachedPage = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly encoded: Map<Encoding, Buffer>
  readonly madeAt: number
  /** What it counts as when it is handed out; left out: it is no page. */
  readonly facts?: PageFacts
  /** What it shows (`page-tags.ts`); left out: it is forgotten with every change. */
  readonly tags?: readonly string[]
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Pages by address. The oldest use leaves first; what a change shows in leaves with it. */
export type PageCache = {
  /** One whose time is not over, or is over while somebody makes it anew. */
  get(key: string): CachedPage | undefined
  /** One whose time has just passed, for the first who asks: who gets it makes it anew, and all others go on with it meanwhile. */
  stale(key: string): CachedPage | undefined
  /** Keeps a page unless anything was forgotten since `generation` was read: what it shows may be of before. */
  put(key: string, page: CachedPage, generation: number): void
  /** Makes a page once for all who ask for it at the same time. An answer that is no page is everybody's own. */
  makeOnce(key: string, make: () => Promise<CachedPage | Response>): Promise<CachedPage | Response>
  readonly generation: number
  /** Lets go of the pages that show any of these. */
  forget(tags: Iterable<string>): void
  clear(): void
}

/** Keeps nothing: what only some may see. */
export const noPages: PageCache = {
  get: () => undefined,
  stale: () => undefined,
  put: () => {},
  makeOnce: (_, make) => make(),
  generation: 0,
  forget: () => {},
  clear: () => {},
}

/** How long somebody who makes a page anew may take before the next one tries. */
const renewalMs = 2_000

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const gunzipAsync = promisify(gunzip)
const unbrotliAsync = promisify(brotliDecompress)

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
  const pages = new Map<string, CachedPage & { readonly bytes: number; renewedUntil: number }>()
  const making = new Map<string, Promise<CachedPage | null>>()
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
      pages.set(key, { ...page, bytes: size, renewedUntil: 0 })
      bytes += size
      for (const [oldest, old] of pages) {
        if (bytes <= maxBytes) break
        drop(oldest, old)
      }
    },
    async makeOnce(key, make) {
      // What was begun before a change is not for those who ask after it.
      const place = `${generation} ${key}`
      const underWay = making.get(place)
      const theirs = underWay && (await underWay)
      if (theirs) return theirs
      const mine = make()
      const shared = mine.then((made) => (made instanceof Response ? null : made))
      making.set(place, shared)
      const over = () => void (making.get(place) === shared && making.delete(place))
      shared.then(over, over)
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

export function makePage(status: number, headers: Record<string, string>, html: string, madeAt: number): CachedPage {
  const body = Buffer.from(html)
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { status, headers: { ...headers, ETag: etag }, etag, encoded: new Map([['identity', body]]), madeAt }
}

/** The best encoding that a browser takes. A quality of 0 is a refusal. */
export function acceptedEncoding(header: string | null | undefined): Encoding {
  const offers = (header ?? '').toLowerCase()
  const takes = (name: string) =>
    new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,\\s]|$))(?=[,;\\s]|$)`).test(offers)
  if (takes('br')) return 'br'
  if (takes('gzip')) return 'gzip'
  return 'identity'
}

/** The page's bytes in an encoding, compressed when first asked for. */
export async function encodedBody(page: CachedPage, encoding: Encoding): Promise<Buffer> {
  const done = page.encoded.get(encoding)
  if (done) return done
  const plain = await plainBytes(page)
  if (encoding === 'identity') return plain
  const bytes = await compress(plain, encoding)
  page.encoded.set(encoding, bytes)
  page.encoded.delete('identity')
  return bytes
}

async function plainBytes({ encoded }: CachedPage): Promise<Buffer> {
  const plain = encoded.get('identity')
  if (plain) return plain
  const brotli = encoded.get('br')
  if (brotli) return unbrotliAsync(brotli)
  const gzipped = encoded.get('gzip')
  if (gzipped) return gunzipAsync(gzipped)
  throw new Error('a page was kept without its bytes')
}

/**
 * What is compressed where it is asked for, in half a millisecond. Handing a page to another thread and taking it back
 * costs as much again, and memory for each that is under way.
 */
const atOnceBytes = 128 * 1024

/** From its first moment each holds more than a megabyte, and there are no more threads than these: who comes later waits without. */
const compressing = inLanes(4)

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return body
  const atOnce = body.length <= atOnceBytes
  const bytes = atOnce ? compressedAtOnce(body, encoding) : await compressing(() => compressedBeside(body, encoding))
  // As it comes it is the beginning of sixteen kilobytes, which would be kept with it.
  const exact = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(exact)
  return exact
}

const gzipOptions = { level: 6 }

function compressedAtOnce(body: Buffer, encoding: 'br' | 'gzip'): Buffer {
  return encoding === 'br' ? brotliCompressSync(body, brotliOptions(body)) : gzipSync(body, gzipOptions)
}

function compressedBeside(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br' ? brotliAsync(body, brotliOptions(body)) : gzipAsync(body, gzipOptions)
}

function brotliOptions(body: Buffer): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      // Else every page at work holds memory for a window of four megabytes.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length + 1)))),
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  }
}
