import { describe, expect, it } from 'vitest'
import { ownCopy } from '#shop/shared/copy-string.ts'
import { type CountedView, statisticsBuffer } from '#shop/statistics/view-buffer.ts'
import { boundedCache } from '#shop/translation/bounded-cache.ts'
import { createAddresses } from '#shop/translation/localized-paths.ts'
import { liveHeapMb } from '#tests/support/process/live-heap.ts'
import { checkoutSessions } from '../operations/load/load-gate.ts'
import { createPageCache } from './page-cache.ts'

/**
 * Returns a slice from the middle of a larger text, like a link in a page: 200 kilobytes each, ten times the bound
 * below.
 */
function cutOut(text: string): string {
  const whole = Buffer.alloc(200_000, `${text}…`, 'latin1')
    .toString('latin1')
    .replace(/^.{64}/, `${text} `)
  return whole.slice(0, text.length)
}

const count = 500
const most = 10
const texts = (of: (nr: number) => string) => Array.from({ length: count }, (_, nr) => of(nr))

/** Measures heap growth in megabytes while `take` consumes texts; the holder stays alive. */
function growth<Holder>(
  holder: Holder,
  take: (holder: Holder, text: string) => void,
  names: readonly string[],
): number {
  const before = liveHeapMb()
  for (const name of names) take(holder, cutOut(name))
  const grown = liveHeapMb() - before
  // Keeps the holder reachable until it is measured.
  expect(holder).toBeDefined()
  return grown
}

// Each measurement is a full collection of a possibly large heap.
describe('what is remembered of requests', { timeout: 60_000 }, () => {
  it('would hold all that its texts were cut out of, were they not copied', () => {
    const names = texts((nr) => `/product/number-${nr}/`)
    expect(growth(new Set<string>(), (all, text) => all.add(text), names)).toBeGreaterThan(50)
    expect(growth(new Set<string>(), (all, text) => all.add(ownCopy(text)), names)).toBeLessThan(most)
  })

  it('holds of a page that somebody read in another language its links alone', () => {
    const translator = { slug: (_: string, slug: string) => slug, slugFrom: () => undefined }
    const addresses = createAddresses('de', new Set(['de']), translator)
    for (const of of [(nr: number) => `/product/number-${nr}/`, (nr: number) => `/wp-json/number-${nr}/`]) {
      expect(growth(addresses, ({ lead }, path) => lead(path), texts(of))).toBeLessThan(most)
      expect(growth(addresses, ({ known }, path) => known(path), texts(of))).toBeLessThan(most)
    }
  })

  it('holds of a header of cookies the session alone', () => {
    const tokens = texts((nr) => String(nr).padStart(64, '0'))
    const begun = checkoutSessions(() => 0)
    expect(growth(begun, ({ add }, token) => add(token), tokens)).toBeLessThan(most)
    expect(tokens.filter((token) => !begun.has(token))).toEqual([])
  })

  it('holds of an address the path of the page that is kept alone', () => {
    const cache = createPageCache({ maxBytes: 50_000_000, lifeMs: 1_000, staleMs: 1_000, now: () => 0 })
    const page = { status: 200, headers: {}, etag: '', encoded: new Map(), madeAt: 0 }
    const paths = texts((nr) => `/product/number-${nr}/`)
    expect(growth(cache, ({ put, generation }, path) => put(path, page, generation), paths)).toBeLessThan(most)
    expect(paths.filter((path) => !cache.get(path))).toEqual([])
  })

  it('holds of a call that counts a view its page, search, source and campaign alone', () => {
    const view = (text: string): CountedView => ({
      day: '2026-03-01',
      hour: '10',
      vid: 'today',
      vid_before: 'yesterday',
      at: new Date(0),
      path: text,
      shows: 'product:1',
      search: text,
      source: text,
      medium: '',
      campaign: text,
      channel: 'direct',
      overrides: false,
      country: '',
      country_by: '',
      language: '',
      device: '',
      browser: '',
      version: '',
      os: '',
      currency: '',
    })
    const names = texts((nr) => `/product/number-${nr}/`)
    const take = (buffer: ReturnType<typeof statisticsBuffer>, text: string) => {
      buffer.addView(view(text))
      buffer.take()
    }
    expect(growth(statisticsBuffer(0), take, names)).toBeLessThan(most)
  })

  it('holds of a description the texts that it was asked for by, also where they are asked for again', () => {
    const cache = boundedCache<string>(
      () => 10_000_000,
      (value) => value.length,
    )
    const names = texts((nr) => `A sentence that says ${nr}.`)
    expect(growth(cache, ({ put }, text) => put(text, 'said'), names)).toBeLessThan(most)
    expect(growth(cache, ({ get }, text) => get(text), names)).toBeLessThan(most)
    expect(names.filter((name) => cache.get(name) !== 'said')).toEqual([])
  })
})

describe('a copy of its own', () => {
  it('is the same text, whatever stands in it', () => {
    const all = ['', 'plain', 'Gefäß', '– “dashes”', '中文', '🫖', '\ud83e', 'half \udd56 of one', '\0\u00ff\u0100']
    for (const text of all) expect(ownCopy(text)).toBe(text)
  })
})
