import { describe, expect, it } from 'vitest'
import { themeSettings } from './settings.ts'
import { contrastWarnings } from './theme-contrast.ts'

/** Returns the errors of tokens, by their names. */
function faults(theme: object): string[] {
  const parsed = themeSettings.safeParse(theme)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('tokens of the merchant', () => {
  it.each([
    ['--accent', 'oklch(0.45 0.12 30)'],
    ['--accent', '#7a2e1d'],
    ['--focus', 'var(--ink)'],
    ['--radius', '0'],
    ['--gutter', 'clamp(1rem, 0.5rem + 3vw, 4rem)'],
    ['--page', 'min(96rem, calc(100vw - (2 * 1rem)))'],
    ['--serif', '"Vitesse Display", Georgia, serif'],
    ['--quick', '90ms ease-out'],
    ['--quick', '120ms var(--ease)'],
    ['--ease', 'cubic-bezier(0.3, 0, 0, 1)'],
    ['--shadow-menu', '0 1px 3px rgb(0 0 0 / 0.2), inset 0 0 1px var(--ink)'],
    ['--shadow-menu', 'none'],
    ['--weight-heading', '600'],
  ])('%s may be %s', (name, value) => {
    expect(faults({ tokens: { [name]: value } })).toEqual([])
  })

  it.each([
    ['--accent', 'red; } body { display: none', /must not hold ";"/],
    ['--accent', 'url(https://elsewhere.test/pixel)', /must not hold "url"/],
    ['--serif', 'x, serif} a{', /must not hold "}"/],
    ['--serif', '"a\\"}", serif', /must not hold/],
    ['--serif', '"Vitesse"', /must be a list of fonts/],
    ['--accent', 'salmon-ish', /must be a colour/],
    ['--accent', '3px', /must be a colour/],
    ['--accent', 'var(--unknown)', /must be a colour/],
    ['--radius', 'large', /must be a length/],
    ['--gutter', 'calc(1rem + expression(1))', /must be a length/],
    ['--gutter', 'calc(1rem + 2vw', /must be a length/],
    ['--quick', 'soon', /must be a time/],
    ['--shadow-menu', '0 0 red blue', /must be a shadow/],
    ['--weight-heading', 'bold', /must be a number/],
  ])('%s may not be %s', (name, value, problem) => {
    expect(faults({ dark: { [name]: value } })).toEqual([expect.stringMatching(problem)])
  })

  it('are those of the theme, and a slip of the pen is guessed at', () => {
    expect(faults({ tokens: { '--acent': '#123456' } })).toEqual([
      'tokens.--acent: is not a token: did you mean --accent or --accent-hover?',
    ])
    expect(faults({ light: { '--nonsense-altogether': '1px' } })).toEqual([
      expect.stringContaining('is not a token: see styles/tokens.css'),
    ])
  })

  it('that can no longer be read are said to be so, pair by pair, and only those that were changed', () => {
    const warnings = (theme: object) => contrastWarnings(themeSettings.parse(theme))
    expect(warnings({})).toEqual([])
    expect(warnings({ light: { '--accent': '#8a3b1e' } })).toEqual([])
    expect(warnings({ light: { '--ink-soft': '#999' } })).toEqual([
      'theme: --ink-soft on --ground has a contrast of 2.77 in the light scheme; it needs 4.5',
      'theme: --ink-soft on --surface has a contrast of 2.56 in the light scheme; it needs 4.5',
    ])
    // A dark background in both schemes, with the light scheme's ink on it.
    expect(warnings({ tokens: { '--ground': '#111' } }).join()).toContain('--ink on --ground')
  })
})

it.each([
  ['/etc/logo.svg'],
  ['../logo.svg'],
  ['pictures/../../logo.svg'],
  ['https://elsewhere.test/logo.svg'],
  ['logo.exe'],
  ['a\\..\\logo.svg'],
])('a logo is a picture below the folder of the configuration, not %s', (file) => {
  expect(faults({ logo: { file } })).toHaveLength(1)
})
