import { expect, it } from 'vitest'
import { schemeColours } from './scheme-colours.ts'

it('writes the colours of a scheme as screens count them', () => {
  const { '--ground': light } = schemeColours({ tokens: { '--ground': 'oklch(1 0 0)' } }, 'light')
  expect(light).toBe('#ffffff')
  for (const scheme of ['light', 'dark'] as const) {
    for (const colour of Object.values(schemeColours({}, scheme))) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
  }
})

it('takes what the merchant has set of the scheme before what holds in both, and what cannot be read for unset', () => {
  const set = {
    tokens: { '--ink': '#102030' },
    dark: { '--ink': 'rgb(240 230 220)' },
    light: { '--accent': 'var(--ink)' },
  }
  expect(schemeColours(set, 'light')['--ink']).toBe('#102030')
  expect(schemeColours(set, 'dark')['--ink']).toBe('#f0e6dc')
  expect(schemeColours(set, 'light')['--accent']).toBe(schemeColours({}, 'light')['--accent'])
})
