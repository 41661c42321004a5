import { describe, expect, it } from 'vitest'
import { contrastOf, parseColour } from './css-colour.ts'

const colour = (text: string) => {
  const read = parseColour(text)
  if (!read) throw new Error(`${text} was not read`)
  return read
}

describe('a colour', () => {
  it.each([
    ['#f00', 'rgb(255 0 0)'],
    ['#1d4b44', 'rgb(29, 75, 68)'],
    ['#80808080', 'rgba(128, 128, 128, 0.502)'],
    ['hsl(120 100% 25%)', '#008000'],
    ['hsl(-90deg, 50%, 50%)', '#8040bf'],
    ['oklch(0.628 0.2577 29.23)', '#ff0000'],
    ['oklch(51.98% 0.1769 142.5)', '#008000'],
    ['WHITE', '#ffffff'],
  ])('%s is what %s is', (one, other) => {
    const [a, b] = [colour(one), colour(other)]
    expect(a.alpha).toBeCloseTo(b.alpha, 2)
    for (const at of [0, 1, 2]) expect(a.light[at]).toBeCloseTo(b.light[at] ?? -1, 2)
  })

  it.each(['', '#12', '#12345', 'red', 'rgb(1 2)', 'rgb(1 2 3 4)', 'url(x)', 'oklch(a b c)', 'hsl(1 2 3); x'])(
    '%j is not one that is understood',
    (text) => {
      expect(parseColour(text)).toBeNull()
    },
  )

  it('contrasts as the guidelines count it', () => {
    expect(contrastOf(colour('black'), colour('white'))).toBeCloseTo(21, 5)
    expect(contrastOf(colour('#767676'), colour('#fff'))).toBeCloseTo(4.54, 2)
    expect(contrastOf(colour('#777'), colour('#fff'))).toBeLessThan(4.5)
    expect(contrastOf(colour('rgb(0 0 0 / 0.5)'), colour('#fff'))).toBeCloseTo(
      contrastOf(colour('rgb(127.5 127.5 127.5)'), colour('#fff')),
      5,
    )
  })
})
