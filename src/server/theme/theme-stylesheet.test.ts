import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { preloadedFonts, themeSheet } from './theme-stylesheet.ts'

const hash = 'f'.repeat(64)
const files = { 'a.woff2': { kind: 'font', hash } } as const
const settings = (theme: object) => shopSettings.parse({ theme })

describe('the sheet of the merchant', () => {
  it('is empty where nothing is set, so that no page asks for it', () => {
    expect(themeSheet(settings({}), {})).toBe('')
  })

  it('holds letters, then values of both schemes, then of each', () => {
    const theme = {
      tokens: { '--radius': '0' },
      light: { '--ink': '#111' },
      dark: { '--ink': '#eee', '--line': '#333' },
      fonts: [
        { family: 'Hall', file: 'a.woff2', weight: '300 700' },
        { family: 'Lost', file: 'lost.woff2' },
      ],
    }
    expect(themeSheet(settings(theme), files).split('\n')).toEqual([
      `@font-face{font-family:"Hall";font-weight:300 700;font-style:normal;font-display:swap;src:url("/theme/${hash}.woff2") format("woff2")}`,
      ':root{--radius:0}',
      '@media (prefers-color-scheme:light){:root{--ink:#111}}',
      '@media (prefers-color-scheme:dark){:root{--ink:#eee;--line:#333}}',
    ])
  })
})

it.each([
  [{}, ['/assets/petrona-1.woff2', '/assets/figtree-1.woff2']],
  [{ tokens: { '--serif': 'Georgia, serif' } }, ['/assets/figtree-1.woff2']],
  [{ tokens: { '--serif': 'var(--sans)' } }, ['/assets/figtree-1.woff2']],
  [
    { tokens: { '--sans': '"Hall", sans-serif' }, fonts: [{ family: 'Hall', file: 'a.woff2' }] },
    ['/assets/petrona-1.woff2', `/theme/${hash}.woff2`],
  ],
  [
    { tokens: { '--serif': 'Hall, serif', '--sans': 'Hall, serif' }, fonts: [{ family: 'Hall', file: 'a.woff2' }] },
    [`/theme/${hash}.woff2`],
  ],
])('of letters, a page with %j asks first for those that it is set in', (theme, wanted) => {
  expect(preloadedFonts(['/assets/petrona-1.woff2', '/assets/figtree-1.woff2'], settings(theme), files)).toEqual(wanted)
})
