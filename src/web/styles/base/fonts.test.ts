import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fontkit from 'fontkit'
import { describe, expect, it } from 'vitest'

const sheet = readFileSync(join(import.meta.dirname, 'fonts.css'), 'utf8')
const packages = join(import.meta.dirname, '../../../../node_modules/@fontsource-variable')

/** What a shop says, in the measure in which it says it. */
const text =
  'The quick brown fox; Shop all products, useful things for slow mornings. Linen apron, stoneware mug, walnut tray and ' +
  'ordinary everyday letters that people read in a store: add to cart, free returns within thirty days, ships tomorrow ' +
  'from our workshop.'

/** Mean width of a letter of `text`, in ems: Gelasio for Georgia and the Liberations for Arial and Times are equally wide. */
const meanWidths: Readonly<Record<string, number>> = {
  'Petrona Fallback': 0.4415,
  'Petrona Fallback Times': 0.4013,
  'Petrona Fallback Noto': 0.4806,
  // Roboto: 0.4384.
  'Figtree Fallback': 0.4382,
}

/** What fontkit's types leave out of a variable font. */
type Tables = {
  unitsPerEm: number
  ascent: number
  descent: number
  lineGap: number
  variationCoords: number[]
  HVAR: unknown
  hmtx: { metrics: { get(index: number): { advance: number }; length: number } }
  _cmapProcessor: { lookup(character: number): number }
  _variationProcessor: { getAdvanceAdjustment(glyph: number, table: unknown): number }
}

describe('letters that stand in until ours are there', () => {
  for (const family of ['Petrona', 'Figtree']) {
    const own = measure(family.toLowerCase())
    for (const fallback of Object.keys(meanWidths).filter((name) => name.startsWith(family))) {
      it(`${fallback} is as wide, as high and as deep as ${family}`, () => {
        const size = own.meanWidth / (meanWidths[fallback] ?? Number.NaN)
        const face = faceOf(fallback)
        expect(face('size-adjust')).toBeCloseTo(100 * size, 1)
        expect(face('ascent-override')).toBeCloseTo((100 * own.ascent) / size, 1)
        expect(face('descent-override')).toBeCloseTo((100 * own.descent) / size, 1)
        expect(face('line-gap-override')).toBeCloseTo((100 * own.lineGap) / size, 1)
      })
    }
  }

  it('stand in the lists of the tokens, after the letters that they stand in for', () => {
    const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
    const lists = [...tokens.matchAll(/--(?:serif|sans): ([^;]+);/g)].map(([, list]) => list?.split(/,\s*/) ?? [])
    for (const [list, family] of [
      [lists[0], 'Petrona'],
      [lists[1], 'Figtree'],
    ] as const) {
      const fallbacks = Object.keys(meanWidths).filter((name) => name.startsWith(family))
      expect(list?.slice(0, 1 + fallbacks.length)).toEqual([family, ...fallbacks].map((name) => `"${name}"`))
    }
  })
})

/** The figure of a descriptor of one `@font-face`, in per cent. */
function faceOf(family: string): (descriptor: string) => number {
  const face = sheet.split('@font-face').find((rule) => rule.includes(`font-family: "${family}";`))
  return (descriptor) => Number(new RegExp(`\\b${descriptor}: ([\\d.]+)%`).exec(face ?? '')?.[1])
}

function measure(name: string) {
  // fontkit cannot make an instance of a compressed variable font, but its tables hold what there is to know.
  const font = fontkit.openSync(join(packages, name, `files/${name}-latin-wght-normal.woff2`)) as unknown as Tables
  font.variationCoords = [400]
  const widths = [...text].map((letter) => {
    const glyph = font._cmapProcessor.lookup(letter.codePointAt(0) ?? 0)
    // The last entry goes for all after it.
    const { advance } = font.hmtx.metrics.get(Math.min(glyph, font.hmtx.metrics.length - 1))
    return advance + font._variationProcessor.getAdvanceAdjustment(glyph, font.HVAR)
  })
  const em = font.unitsPerEm
  return {
    meanWidth: widths.reduce((sum, width) => sum + width, 0) / widths.length / em,
    ascent: font.ascent / em,
    descent: -font.descent / em,
    lineGap: font.lineGap / em,
  }
}
