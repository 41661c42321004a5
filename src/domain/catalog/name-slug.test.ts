import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nameSlug } from './name-slug.ts'

it.each([
  ['Café Ærø Straße', 'de-DE', 'cafe-aeroe-strasse'],
  ['Café Ærø Straße', 'en-US', 'cafe-aero-strasse'],
  ['Café Ærø Straße', 'da', 'cafe-aeroe-strasse'],
  ['Schüssel für Größe Übermaß', 'de', 'schuessel-fuer-groesse-uebermass'],
  ['Schu\u0308ssel', 'de', 'schuessel'],
  ['Schüssel', 'fr', 'schussel'],
  ['GRÖẞE', 'de-AT', 'groesse'],
  ['Smörgåsbord', 'sv', 'smorgasbord'],
  ['Blåbærsyltetøy', 'nb-NO', 'blaabaersyltetoey'],
  ['Łódź, Đakovo, Þingvellir', 'en', 'lodz-dakovo-thingvellir'],
  ['İstanbul Işık', 'tr', 'istanbul-isik'],
  ['œuvre n° 5', 'fr', 'oeuvre-n-5'],
  ["  Crème brûlée: Anna's 2 bowls! ", 'en', 'creme-brulee-annas-2-bowls'],
  ['茶碗 / Ø', 'ja', '茶碗-o'],
  ['ガラスのコーヒーカップ', 'ja', 'ガラスのコーヒーカップ'],
  ['Чайник', 'ru', 'чайник'],
  ['!!!', 'en', ''],
])('%j is in the addresses of %s %j', (name, language, slug) => {
  expect(nameSlug(name, language)).toBe(slug)
})

it('a slug is its own slug, and holds no Latin letter beyond ASCII', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[ÀÖØößøæœłđþåäüé a-zA-Z0-9'-]{0,40}$/),
      fc.constantFrom('de', 'en', 'da', 'fr'),
      (name, language) => {
        const slug = nameSlug(name, language)
        expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
        expect(nameSlug(slug, language)).toBe(slug)
      },
    ),
  )
})
