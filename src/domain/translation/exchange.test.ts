import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExchangeFile, type ExchangeUnit, formsOf, pluralForms } from './exchange.ts'
import { readJson, writeJson } from './exchange-json.ts'
import { readPo, writePo } from './exchange-po.ts'
import { readXliff, writeXliff } from './exchange-xliff.ts'
import { gettextPlural } from './gettext-plural.ts'

const formats = [
  ['PO', writePo, readPo],
  ['XLIFF', writeXliff, readXliff],
  ['JSON', writeJson, readJson],
] as const

const signs = fc.constantFrom(
  '\n',
  '\r',
  '\t',
  '\u0001',
  '\u2028',
  '\uFFFE',
  '"',
  '\\',
  '&',
  '<',
  '>',
  ']]>',
  '$&',
  '%s',
  '\\n',
  'سلة',
  '__proto__',
  ' ',
  '#',
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(signs, { maxLength: 8 }).map((all) => all.join('')),
)
const some = text.filter((one) => one !== '')
const forms = formsOf('ar')
const plural = fc
  .dictionary(fc.constantFrom(...forms), some, { minKeys: 1, noNullPrototype: true })
  .map((all) => Object.fromEntries(pluralForms.flatMap((form) => (all[form] === undefined ? [] : [[form, all[form]]]))))
const translated = fc.oneof(some, plural)
const unit: fc.Arbitrary<ExchangeUnit> = fc.oneof(
  fc.record({
    area: fc.constant('interface' as const),
    context: fc.constant(''),
    markup: fc.constant(false),
    original: some,
    translated,
    status: fc.constantFrom(1 as const, 2 as const, 3 as const),
  }),
  fc.record({
    area: fc.constantFrom('content' as const, 'slug' as const),
    context: fc.oneof(fc.constant(''), some),
    markup: fc.boolean(),
    original: some,
    translated: fc.constant(''),
    status: fc.constant(0 as const),
  }),
)
/** In the order of the areas, like one of the formats; each original once. */
const units = fc
  .uniqueArray(unit, { maxLength: 6, selector: ({ area, original }) => `${area} ${original}` })
  .map((all) => ['interface', 'content', 'slug'].flatMap((area) => all.filter((one) => one.area === area)))

describe.each(formats)('a file of translations as %s', (_, write, read) => {
  it('loses nothing on the way out and in again, whatever the texts', () => {
    fc.assert(
      fc.property(units, (given) => {
        const file: ExchangeFile = { language: 'ar', source: 'en-US', units: given }
        const back = read(write(file))
        expect(back).toMatchObject({ ok: true, language: 'ar' })
        expect(back.ok && back.units.map(({ line, ...one }) => one)).toEqual(given)
      }),
      { numRuns: 60 },
    )
  })

  it('is read or refused with a line, never more', () => {
    const broken = fc.tuple(units, fc.nat(), fc.constantFrom('', '"', '<', '}', '&x;', '\\', 'msgid "', '<!DOCTYPE x>'))
    fc.assert(
      fc.property(broken, ([given, at, put]) => {
        const whole = write({ language: 'ar', source: 'en', units: given })
        const back = read(whole.slice(0, at % whole.length) + put + whole.slice((at % whole.length) + 3))
        if (!back.ok) expect(back.line).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a file of translations from elsewhere', () => {
  it('is a catalogue of gettext, with what is fuzzy as a machine’s', () => {
    const po = `msgid ""\nmsgstr "Language: de_DE\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n
#: src/cart.tsx:12\nmsgid "Cart"\nmsgstr "Waren"\n"korb"\n
#, fuzzy\n#| msgid "Old"\nmsgctxt "content"\nmsgid "Bowl"\nmsgstr "Schale"\n
msgid "%s item"\nmsgid_plural "%s items"\nmsgstr[0] "%s Artikel"\nmsgstr[1] "%s Artikel!"\n
#~ msgid "Gone"\n#~ msgstr "Weg"\n`
    const read = readPo(po)
    expect(read.ok && read.language).toBe('de-DE')
    expect(
      read.ok &&
        read.units.map(({ area, original, translated: said, status, line }) => [area, original, said, status, line]),
    ).toEqual([
      [null, 'Cart', 'Warenkorb', 2, 5],
      ['content', 'Bowl', 'Schale', 1, 11],
      [null, '%s items', { one: '%s Artikel', other: '%s Artikel!' }, 2, 15],
    ])
  })

  it('is XLIFF 1.2, in groups and with its states', () => {
    const file = `<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="x" source-language="en" target-language="fr_FR" datatype="plaintext"><body><group>
<trans-unit id="1"><source>Cart</source><target state="final">Panier</target></trans-unit>
<trans-unit id="2"><source>A &amp; B</source><target state="needs-review-translation">A et B</target></trans-unit>
<trans-unit id="3"><source>None</source></trans-unit></group></body></file></xliff>`
    const read = readXliff(file)
    expect(read).toMatchObject({ ok: true, language: 'fr-FR' })
    expect(
      read.ok && read.units.map(({ original, translated: said, status, line }) => [original, said, status, line]),
    ).toEqual([
      ['Cart', 'Panier', 2, 3],
      ['A & B', 'A et B', 1, 4],
      ['None', '', 0, 5],
    ])
  })

  it.each([
    [readPo, 'msgid "a"\nmsgstr "b\n', 2, 'quotation mark'],
    [readPo, 'msgid "a"\nmsgstr "b"\nnonsense', 3, 'Invalid line of a PO file'],
    [readXliff, '<xliff version="2.1">\n<file id="a"><unit id="1">\n</file></xliff>', 3, '<unit>'],
    [readXliff, '<!DOCTYPE x [<!ENTITY a "b">]><xliff version="2.1"/>', 1, 'document type'],
    [
      readXliff,
      '<xliff version="2.1">\n<file id="a"><unit id="1"><segment>\n<source>a <ph id="1"/></source></segment></unit></file></xliff>',
      3,
      '<ph>',
    ],
    [readXliff, '<tmx/>', 1, '<tmx>'],
    [readJson, '{\n"a": "b",\n"c" }', 3, 'Invalid JSON'],
    [readJson, '{\n"units": [\n{"original": "a", "translated": 3}]}', 3, 'must be a string'],
    [readJson, '{\n"a": "b",\n"c": {"several": "x"}}', 3, 'several'],
  ])('that is broken is refused by its line (%#)', (read, file, line, problem) => {
    const back = read(file)
    expect(back).toMatchObject({ ok: false, line })
    expect(!back.ok && back.problem).toContain(problem)
  })

  it('says which form a number takes as gettext has it', () => {
    expect(gettextPlural('de-DE')).toBe('nplurals=2; plural=n != 1;')
    expect(gettextPlural('ja-JP')).toBe('nplurals=1; plural=0;')
    expect(gettextPlural('fr-FR')).toContain('nplurals=3; plural=n < 2 ? 0')
    expect(gettextPlural('ar')).toContain('nplurals=6; plural=n == 0 ? 0')
    expect(gettextPlural('pl')).toContain('n % 10')
    expect(gettextPlural('cs')).toContain('n >= 2 && n <= 4')
  })
})
