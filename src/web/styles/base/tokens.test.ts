import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
const [light = '', dark = ''] = sheet.split('@media (prefers-color-scheme: dark)')
const schemes = { light: tokensOf(light), dark: { ...tokensOf(light), ...tokensOf(dark) } }

const grounds = ['ground', 'surface']
/** Text on backgrounds: 4.5 to 1. */
const texts: readonly (readonly [string, string])[] = [
  ...grounds.flatMap((on) => ['ink', 'ink-soft', 'accent', 'sale', 'bad', 'good'].map((text) => [text, on] as const)),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['ground', 'ink'],
]
/** Outlines of controls: 3 to 1. */
const outlines = grounds.flatMap((on) => ['line-strong', 'accent', 'focus', 'bad'].map((line) => [line, on] as const))

describe('the tokens', () => {
  for (const [scheme, tokens] of Object.entries(schemes)) {
    it(`can be read and seen in the ${scheme} scheme`, () => {
      const weak = (pairs: readonly (readonly [string, string])[], demanded: number) =>
        pairs
          .map(([one, other]) => ({
            pair: `${one} on ${other}`,
            ratio: contrast(colour(tokens, one), colour(tokens, other)),
          }))
          // NaN counts as too little.
          .filter(({ ratio }) => !(ratio >= demanded))
      expect(weak(texts, 4.5)).toEqual([])
      expect(weak(outlines, 3)).toEqual([])
    })
  }

  it('have every colour in both schemes', () => {
    const colours = (part: string) =>
      Object.entries(tokensOf(part)).flatMap(([name, value]) => (value.startsWith('oklch') ? [name] : []))
    expect(colours(dark)).toEqual(colours(light))
  })

  it('are there for every name that a style sheet uses', () => {
    // Set by scripts, by the page itself, or within the stylesheet that uses them.
    const used = new Map<string, string>()
    const set = new Set<string>(Object.keys(tokensOf(light)))
    const sheets = join(import.meta.dirname, '..')
    for (const file of globSync('**/*.css', { cwd: sheets })) {
      const text = readFileSync(join(sheets, file), 'utf8')
      for (const [, name = ''] of text.matchAll(/--([\w-]+):/g)) set.add(name)
      // A name with a fallback value need not be defined.
      for (const [, name = ''] of text.matchAll(/var\(--([\w-]+)\)/g)) used.set(name, file)
    }
    expect([...used].filter(([name]) => !set.has(name))).toEqual([])
  })
})

function tokensOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value?.trim()]),
  )
}

type Rgb = readonly [number, number, number]

function colour(tokens: Record<string, string>, name: string): Rgb {
  const value = tokens[name] ?? ''
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1]
  if (other) return colour(tokens, other)
  const [l, c, h] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value)?.slice(1).map(Number) ?? []
  return linear(l ?? Number.NaN, c ?? Number.NaN, h ?? Number.NaN)
}

/** Returns the linear light of an OKLCH colour, clipped to sRGB. https://www.w3.org/TR/css-color-4/#ok-lab */
function linear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const cut = (value: number) => Math.min(1, Math.max(0, value))
  return [
    cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: Rgb, other: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}
