import { describe, expect, it } from 'vitest'
import { readTitle, titleLanguages } from './read-title.ts'
import { titleKey } from './title-key.ts'

describe('titles of product files', () => {
  it.each(Object.keys(titleLanguages))('of %s all mean the column that their table says', (language) => {
    const wrong = Object.entries(titleLanguages[language] ?? {}).flatMap(([column, written]) =>
      written.split('|').flatMap((title) => {
        const numbered = title.replace('{n}', '12')
        const wanted = column
          .replace('{n}', '12')
          .replace(/^(Length|Width|Height)$/, '$1 (cm)')
          .replace(/^Weight$/, 'Weight (kg)')
          .replace(/^Cost of goods$/, 'Meta: _cogs_total_value')
        const found = readTitle(numbered)
        return found === wanted ? [] : [`${numbered}: ${found}, not ${wanted}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ['  REGULAR  price ', 'Regular price'],
    ['Prix', 'Regular price'],
    ['Gewicht (g)', 'Weight (g)'],
    ['Вес (кг)', 'Weight (kg)'],
    ['重量（g）', 'Weight (g)'],
    ['Länge (mm)', 'Length (mm)'],
    ['Weight', 'Weight (kg)'],
    ['属性２の名前', 'Attribute 2 name'],
    ['Attribute 3 value(s)', 'Attribute 3 value(s)'],
    ['Méta : _note', 'Meta: _note'],
    ['Meta: Éclat', 'Meta: Éclat'],
    ['Colour (product.metafields.custom.colour)', 'Meta: custom.colour'],
    ['Shop mark', 'Shop mark'],
  ])('"%s" is %s', (title, column) => {
    expect(readTitle(title)).toBe(column)
  })

  it.each(['', 'Supplier', '12.50', 'constructor', '__proto__', 'Meta:'])('"%s" is unknown', (title) => {
    expect(readTitle(title)).toBeNull()
  })

  it('match without case, accents and punctuation', () => {
    expect(['Größe?', 'GROSSE', 'große'].map(titleKey)).toEqual(['grosse', 'grosse', 'grosse'])
    expect(titleKey('Łódź – Ø')).toBe('lodz o')
  })
})
