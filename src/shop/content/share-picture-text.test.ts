import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openFonts, setText } from './share-picture-text.ts'

/** A monospaced font: line lengths can be counted. */
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

  it('are drawn as wide as they are said to be, from where they are put, in their own font', async () => {
    const letters = await openFonts()
    const drawn = async (text: string) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="200">${letters.line(text, 100, 50, 120)}</svg>`
      const { info } = await sharp(Buffer.from(svg)).trim().toBuffer({ resolveWithObject: true })
      return { left: -(info.trimOffsetLeft ?? 0), width: info.width }
    }
    const width = letters.widthOf('Hallo', 100)
    const shown = await drawn('Hallo')
    expect(shown.left).toBeGreaterThanOrEqual(50)
    expect(shown.left).toBeLessThan(60)
    expect(shown.width).toBeLessThanOrEqual(width)
    expect(shown.width).toBeGreaterThan(width * 0.9)
    expect(letters.widthOf('Hallo Hallo', 100)).toBeGreaterThan(2 * width)
    expect((await drawn('a < b & c')).width).toBeGreaterThan(200)
  })
})
