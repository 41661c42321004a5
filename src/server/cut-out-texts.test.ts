import { describe, expect, it } from 'vitest'
import { createAddresses } from '#shop/addresses.ts'
import { ownCopy } from '#shop/own-copy.ts'
import { statisticsBuffer } from '#shop/statistics-buffer.ts'
import { boundedCache } from '#shop/translation-cache.ts'
import { liveHeapMb } from '#tests/support/live-heap.ts'
import { begunCheckouts } from './load-gate.ts'

/** A text in the middle of another of its own, as a link stands in a page: 200 kilobytes each, ten times the bound below. */
function cutOut(text: string): string {
  const whole = Buffer.alloc(200_000, `${text}…`, 'latin1')
    .toString('latin1')
    .replace(/^.{64}/, `${text} `)
  return whole.slice(0, text.length)
}

const count = 500
const texts = (of: (nr: number) => string) => Array.from({ length: count }, (_, nr) => of(nr))
/** By how much the heap grows while something takes texts in, in megabytes; what it took them into lives on. */
function growth<Holder>(
  holder: Holder,
  take: (holder: Holder, text: string) => void,
  names: readonly string[],
): number {
  const before = liveHeapMb()
  for (const name of names) take(holder, cutOut(name))
  const grown = liveHeapMb() - before
  // Still here, so not collected before it was measured.
  expect(holder).toBeDefined()
  return grown
}

describe('what is remembered of requests', () => {
  it('would hold all that its texts were cut out of, were they not copied', () => {
    const names = texts((nr) => `/product/number-${nr}/`)
    expect(growth(new Set<string>(), (all, text) => all.add(text), names)).toBeGreaterThan(50)
    expect(growth(new Set<string>(), (all, text) => all.add(ownCopy(text)), names)).toBeLessThan(10)
  })

  it('holds of a page that somebody read in another language its links alone', () => {
    const translator = { slug: (_: string, slug: string) => slug, slugFrom: () => undefined }
    const addresses = createAddresses('de', ['de'], translator)
    for (const of of [(nr: number) => `/product/number-${nr}/`, (nr: number) => `/wp-json/number-${nr}/`]) {
      expect(growth(addresses, ({ lead }, path) => lead(path), texts(of))).toBeLessThan(10)
      expect(growth(addresses, ({ known }, path) => known(path), texts(of))).toBeLessThan(10)
    }
  })

  it('holds of a header of cookies the session alone', () => {
    const tokens = texts((nr) => String(nr).padStart(64, '0'))
    const begun = begunCheckouts(() => 0)
    expect(growth(begun, ({ add }, token) => add(token), tokens)).toBeLessThan(10)
    expect(tokens.filter((token) => !begun.has(token))).toEqual([])
  })

  it('holds of a call that counts a view the page, the search and the source alone', () => {
    const buffer = statisticsBuffer(0)
    const visit = {
      day: '2026-03-01',
      hour: 1,
      vid: 'v',
      hvid: 'h',
      at: new Date(0),
      shows: 'product:1',
      channel: 'direct',
      medium: '',
      content: '',
      term: '',
      search: '',
    }
    const view = (path: string) =>
      ({ ...visit, path, source: path, campaign: path }) as unknown as Parameters<typeof buffer.addView>[0]
    const names = texts((nr) => `/product/number-${nr}/`)
    expect(
      growth(
        buffer,
        (into, path) => {
          into.addView(view(path))
          into.take()
        },
        names,
      ),
    ).toBeLessThan(10)
  })

  it('holds of a description that was translated the texts alone, also where they are asked for again', () => {
    const cache = boundedCache<string>(
      () => 10_000_000,
      (value) => value.length,
    )
    const names = texts((nr) => `A sentence that says ${nr}.`)
    expect(growth(cache, ({ put }, text) => put(text, 'said'), names)).toBeLessThan(10)
    expect(growth(cache, ({ get }, text) => get(text), names)).toBeLessThan(10)
    expect(names.filter((name) => cache.get(name) !== 'said')).toEqual([])
  })
})

describe('a copy of its own', () => {
  it('is the same text, whatever stands in it', () => {
    for (const text of [
      '',
      'plain',
      'Gefäß',
      '– “dashes”',
      '中文',
      '🫖',
      '\ud83e',
      'half \udd56 of one',
      '\0\u00ff\u0100',
    ])
      expect(ownCopy(text)).toBe(text)
  })
})
