import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser } from '#tests/support/browser.ts'

const sheet = readFileSync(join(import.meta.dirname, 'fonts.css'), 'utf8')
const packages = join(import.meta.dirname, '../../../../node_modules/@fontsource-variable')

/** A sample of the shop's texts, in the usual letter frequencies. */
const text =
  'The quick brown fox; Shop all products, useful things for slow mornings. Linen apron, stoneware mug, walnut tray and ' +
  'ordinary everyday letters that people read in a store: add to cart, free returns within thirty days, ships tomorrow ' +
  'from our workshop.'

/**
 * Mean width of a letter of `text`, in ems: Gelasio for Georgia and the Liberations for Arial and Times are equally
 * wide.
 */
const meanWidths: Readonly<Record<string, number>> = {
  'Petrona Fallback': 0.4415,
  'Petrona Fallback Times': 0.4013,
  'Petrona Fallback Noto': 0.4806,
  // Roboto: 0.4384.
  'Figtree Fallback': 0.4382,
}

let browser: Browser
beforeAll(async () => {
  browser = await aBrowser()
})
afterAll(() => browser?.close())

describe('letters that stand in until ours are there', () => {
  for (const family of ['Petrona', 'Figtree']) {
    for (const fallback of Object.keys(meanWidths).filter((name) => name.startsWith(family))) {
      it(`${fallback} is as wide, as high and as deep as ${family}`, async () => {
        const own = await measure(family.toLowerCase())
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

/** Returns the value of a descriptor of a `@font-face`, in per cent. */
function faceOf(family: string): (descriptor: string) => number {
  const face = sheet.split('@font-face').find((rule) => rule.includes(`font-family: "${family}";`))
  return (descriptor) => Number(new RegExp(`\\b${descriptor}: ([\\d.]+)%`).exec(face ?? '')?.[1])
}

/** Widths and heights of a font at its usual weight, in ems, as a browser has them. */
async function measure(name: string) {
  const bytes = readFileSync(join(packages, name, `files/${name}-latin-wght-normal.woff2`)).toString('base64')
  const page = await browser.newPage()
  try {
    return await page.evaluate(
      async ({ bytes, text }) => {
        const font = new FontFace('Measured', `url(data:font/woff2;base64,${bytes})`, { weight: '100 900' })
        document.fonts.add(await font.load())
        const em = 1000
        const context = document.createElement('canvas').getContext('2d')
        if (!context) throw new Error('no canvas')
        context.font = `400 ${em}px Measured`
        const widths = [...text].map((letter) => context.measureText(letter).width)
        const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(text)
        const line = document.createElement('div')
        line.style.font = `400 ${em}px/normal Measured`
        line.textContent = 'x'
        document.body.append(line)
        return {
          meanWidth: widths.reduce((sum, width) => sum + width, 0) / widths.length / em,
          ascent: ascent / em,
          descent: descent / em,
          lineGap: (line.getBoundingClientRect().height - ascent - descent) / em,
        }
      },
      { bytes, text },
    )
  } finally {
    await page.close()
  }
}
