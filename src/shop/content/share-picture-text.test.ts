import { describe, expect, it } from 'vitest'
import { openFonts, setText } from './share-picture-text.ts'

/** Letters of one width: what fits can be counted. */
const fixed = { widthOf: (text: string, size: number) => text.length * size * 0.5 }
const room = { width: 500, sizes: [100, 80, 50], mostLines: 3 }

describe('setting a name', () => {
  it('takes the largest size at which it fits', () => {
    expect(setText(fixed, 'Tidal Vase', room)).toEqual({ size: 100, lines: ['Tidal Vase'] })
    expect(setText(fixed, 'Stoneware bowl', room)).toEqual({ size: 100, lines: ['Stoneware', 'bowl'] })
    expect(setText(fixed, 'Serving platters', room).size).toBe(100)
    expect(setText(fixed, 'Candlesticks', room).size).toBe(80)
  })

  it('breaks it evenly', () => {
    expect(setText(fixed, 'One two three four', { ...room, sizes: [50] }).lines).toEqual(['One two three four'])
    expect(setText(fixed, 'aaaa bbbb cccc dddd ee', { ...room, sizes: [50] }).lines).toEqual([
      'aaaa bbbb',
      'cccc dddd ee',
    ])
  })

  it('ends in dots what is too long, and breaks a word that is longer than a line', () => {
    const long = setText(fixed, Array.from({ length: 30 }, () => 'word').join(' '), room)
    expect(long.lines).toHaveLength(3)
    expect(long.lines.at(-1)).toMatch(/…$/)
    const word = setText(fixed, 'x'.repeat(50), room)
    expect(word.lines.map(({ length }) => length)).toEqual([20, 20, 10])
  })
})

describe('the letters', () => {
  it('know names of many languages, and which they do not know', async () => {
    const letters = await openFonts()
    for (const name of ['Tidal Vase – “Moss” & 50 €', 'Świeczka, žluťoučký kůň', 'Gốm Việt', 'Æbleskål']) {
      expect(letters.knows(name), name).toBe(true)
    }
    for (const name of ['مزهرية', '花瓶', '🏺']) expect(letters.knows(name), name).toBe(false)
  })

  it('are outlines as wide as they are said to be, from where they are put', async () => {
    const letters = await openFonts()
    const outline = letters.outline('Hallo', 100, 1000, 500)
    const xs = [...outline.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x]) => Number(x))
    const width = letters.widthOf('Hallo', 100)
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...xs)).toBeLessThanOrEqual(1000 + width + 2)
    expect(Math.max(...xs)).toBeGreaterThan(1000 + width * 0.9)
    expect(letters.widthOf('Hallo Hallo', 100)).toBeGreaterThan(2 * width)
  })
})
