import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sheetsFor, withWidths } from './width-stylesheets.ts'

const widths = { desktop: 1200, tablet: 700 }

it('THEME-02 a shop with the usual widths loads the sheet of the build, another one its own', () => {
  const css = ['/assets/main-Ab1_.css', '/assets/browse-x.css']
  expect(sheetsFor(css, { desktop: 1024, tablet: 768 })).toEqual(css)
  expect(sheetsFor(css, widths)).toEqual(['/theme/1200-700/main-Ab1_.css', '/assets/browse-x.css'])
})

it('THEME-02 the widths stand in place of the usual ones, and nothing else is touched', () => {
  const sheet = '@media (width>=1024px){a{width:1024px}}@media (width<768px){b{}}@media (min-width:60rem){c{}}'
  expect(withWidths(sheet, widths)).toBe(
    '@media (width>=1200px){a{width:1024px}}@media (width<700px){b{}}@media (min-width:60rem){c{}}',
  )
})

it('THEME-02 the header knows no other widths than those two', async () => {
  const sheet = await readFile(join(import.meta.dirname, '../../web/styles/theme/header.css'), 'utf8')
  const found = [...sheet.matchAll(/\(width [<>]=? ([^)]+)\)/g)].map(([, width]) => width)
  expect(new Set(found)).toEqual(new Set(['1024px', '768px']))
  expect(sheet).not.toMatch(/(?:min|max)-width:/)
})
