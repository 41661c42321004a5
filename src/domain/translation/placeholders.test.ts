import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '#tests/support/process/processor-time.ts'
import { decodeEntities } from './markup-entities.ts'
import { figuresIn, findPlaceholders } from './placeholder-patterns.ts'
import { type Dress, type ProtectionRules, protect } from './placeholders.ts'

const plain = (text: string, rules: Partial<ProtectionRules> = {}) =>
  protect({ text, markup: false }, { dress: 'signs', ...rules })
const marked = (text: string, rules: Partial<ProtectionRules> = {}) =>
  protect({ text, markup: true }, { dress: 'elements', ...rules })
const terms = [
  { term: 'Fogline', said: 'Fogline' },
  { term: 'glaze', said: 'Glasur' },
]

describe('what is kept from an engine', () => {
  it.each([
    ['%s of %2$s, %d pieces', '⟦1⟧ of ⟦2⟧, ⟦3⟧ pieces'],
    ['Save 20% now, 50%discount', 'Save ⟦1⟧ now, 50%discount'],
    ['Hi {name}, %qty% left of {{ order.total }}', 'Hi ⟦1⟧, ⟦2⟧ left of ⟦3⟧'],
    ['See https://a.example/x?y=1&z=2, or www.b.example.', 'See ⟦1⟧, or ⟦2⟧.'],
    ['Ask ada.lovelace+shop@mail.example.com!', 'Ask ⟦1⟧!'],
    ['Call +49 (30) 123-456', 'Call ⟦1⟧'],
    ['From $5.50 to 1,200.00 € or EUR 3', 'From ⟦1⟧ to ⟦2⟧ or ⟦3⟧'],
    ['30 × 20 × 10 cm, 1.5 kg, 200ml, 40 mm', '⟦1⟧, ⟦2⟧, ⟦3⟧, ⟦4⟧'],
    ['A set of 3 bowls, 5 in stock', 'A set of 3 bowls, 5 in stock'],
    ['Fogline glazes its glaze. Glaze!', '⟦1⟧ glazes its ⟦2⟧. ⟦3⟧!'],
    ['a ⟦1⟧ b', 'a ⟦1⟧1⟦2⟧ b'],
  ])('%s is sent as %s', (text, sent) => {
    expect(plain(text, { terms }).sent).toBe(sent)
  })

  it('keeps every number where it is told to', () => {
    expect(plain('A set of 3 bowls', { everyNumber: true }).sent).toBe('A set of ⟦1⟧ bowls')
  })

  it('keeps the longest of what overlaps', () => {
    const kept = findPlaceholders('https://a.example/{name}/Fogline', terms, true)
    expect(kept.map(({ said }) => said)).toEqual(['https://a.example/{name}/Fogline'])
  })

  it('finds terms in languages without blanks, and takes their signs as they are', () => {
    expect(plain('新しいフォグ社の皿', { terms: [{ term: 'フォグ社', said: 'Fog' }] }).sent).toBe('新しい⟦1⟧の皿')
    expect(plain('C++ (v.2) C+', { terms: [{ term: 'C++ (v.2)', said: 'x' }] }).sent).toBe('⟦1⟧ C+')
  })

  it('shows the elements of markup by number, and what is kept with what it is', () => {
    const text = 'Read <a href="/terms?a=1&amp;b=2" title="x">the %s terms</a>,<br>5 &lt; 6 &amp; more'
    expect(marked(text).sent).toBe(
      'Read <g id="1">the <x id="2" translate="no">%s</x> terms</g>,<x id="4" translate="no"></x>5 &lt; 6 &amp; more',
    )
    expect(marked(text, { element: 'span' }).sent).toContain('<span id="1">the <span id="2" translate="no">%s</span>')
  })

  it('tells what needs no engine at all', () => {
    const text = plain('%s – 24 cm, Fogline', { terms: [{ term: 'Fogline', said: 'Nebellinie' }] })
    expect([text.speaks, text.unspoken]).toEqual([false, '%s – 24 cm, Nebellinie'])
  })

  it('is quick with texts that are made to be slow', () => {
    const slow = [
      'a'.repeat(20_000),
      '1,'.repeat(10_000),
      'a@'.repeat(10_000),
      '<'.repeat(20_000),
      'www.'.repeat(5_000),
    ]
    const ms = processorMs(() => {
      for (const text of slow) {
        const sent = plain(text, { terms, everyNumber: true })
        sent.restore(sent.sent)
        marked(text, { terms }).restore(text)
      }
    })
    expect(ms).toBeLessThan(2_000)
  })
})

describe('what comes back', () => {
  it('is put back wherever the language wants it, terms as they are to be said', () => {
    const text = plain('%s sold of %2$s in Fogline glaze', { terms })
    expect(text.restore('In ⟦3⟧-⟦ 4 ⟧ ⟦2⟧, davon ⟦١⟧ verkauft')).toEqual({
      ok: true,
      text: 'In Fogline-Glasur %2$s, davon %s verkauft',
    })
  })

  it('numbers places that come back in another order, so that each is filled with what it stood for', () => {
    const text = plain('%s of %s by %3$s')
    expect(text.restore('⟦2⟧ davon ⟦1⟧, ⟦3⟧')).toEqual({ ok: true, text: '%2$s davon %1$s, %3$s' })
    expect(text.restore('⟦3⟧: ⟦1⟧ von ⟦2⟧')).toEqual({ ok: true, text: '%3$s: %s von %s' })
  })

  it('keeps attributes and addresses of markup, whatever became of the elements', () => {
    const text = marked('Read <a href="/a?b&amp;c">the <b>%s</b> terms</a><br>now & then')
    const answer = 'Jetzt & gleich<x id="6"/> <g id="1">Bedingungen <g id=\'2\'><x id="3">was immer</x></g> lesen</g>'
    expect(text.restore(answer)).toEqual({
      ok: true,
      text: 'Jetzt &amp; gleich<br> <a href="/a?b&amp;c">Bedingungen <b>%s</b> lesen</a>',
    })
  })

  it.each<[string, string, string]>([
    ['%s and %s', '⟦1⟧ und', 'lost'],
    ['%s and %s', '⟦1⟧ und ⟦2⟧ und ⟦2⟧', 'doubled'],
    ['%s and %s', '⟦1⟧ und ⟦2⟧ und ⟦3⟧', 'unknown'],
    ['%s and more', '⟦1⟧ und ⟦mehr', 'unknown'],
    ['a word', 'ein <b>Wort</b>', 'markup'],
    ['a word', 'ein &lt;script&gt;', 'markup'],
    ['Set of 3', 'Satz von 4', 'number'],
    ['a word', 'ein Wort '.repeat(100), 'length'],
  ])('of %s %s is refused: %s', (text, answer, fault) => {
    expect(plain(text).restore(answer)).toEqual({ ok: false, fault })
  })

  it.each<[string, string]>([
    ['<g id="1">ein</g> Wort <g id="1">mehr</g>', 'doubled'],
    ['ein Wort', 'lost'],
    ['</g>ein<g id="1"> Wort', 'crossed'],
    ['<g id="1">ein Wort', 'crossed'],
    ['<g id="1"/>ein Wort', 'crossed'],
    ['<g id="1">ein</g> <g id="7">Wort</g>', 'unknown'],
    ['<g id="1">ein</g> <script>Wort</script>', 'markup'],
  ])('of markup %s is refused: %s', (answer, fault) => {
    expect(marked('<b>a</b> word').restore(answer)).toEqual({ ok: false, fault })
  })

  it('refuses signs that begin and end elements the wrong way round', () => {
    const text = protect({ text: '<b>a</b> <i>word</i>', markup: true }, { dress: 'signs' })
    expect(text.restore('⟦1⟧ein ⟦3⟧Wort⟦2⟧⟦4⟧')).toEqual({ ok: false, fault: 'crossed' })
    expect(text.restore('⟦3⟧Wort⟦4⟧ < ⟦1⟧ein⟦2⟧')).toEqual({ ok: true, text: '<i>Wort</i> &lt; <b>ein</b>' })
  })

  it('takes numbers as they are written in the language', () => {
    expect(figuresIn('1,000.50 and ١٬٠٠٠٫٥٠ and ३')).toEqual(['100050', '100050', '3'])
    expect(plain('1,000.50 pieces in 2 boxes').restore('٢ علب، ١٬٠٠٠٫٥٠ قطعة').ok).toBe(true)
  })

  it('decodes the entities of an answer once, and leaves those of the original', () => {
    expect(plain("it's").restore('c&#39;est &amp;amp;')).toEqual({ ok: true, text: "c'est &amp;" })
    expect(plain('write &amp; now').restore('schreibe &amp; jetzt')).toEqual({ ok: true, text: 'schreibe &amp; jetzt' })
  })

  const hard = fc.array(
    fc.constantFrom(
      ...[
        '%s',
        '%1$s',
        '%d',
        '{name}',
        'Fogline',
        'glaze',
        '⟦',
        '⟧',
        '⟦1⟧',
        '$&',
        '$1',
        '__proto__',
        '&amp;',
        '&lt;b&gt;',
      ],
      ...[
        '<b>',
        '</b>',
        '<br>',
        '<a href="x">',
        '</a>',
        '<!-- x -->',
        '<',
        '>',
        '"',
        ' 12 cm',
        '1,5',
        ' 7 ',
        ' ',
        'word',
      ],
      ...['https://a.example/', 'a@b.example', '\u202E', '🏺', '٣', '\uD800'],
    ),
    { maxLength: 14 },
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    hard.map((parts) => parts.join('')),
  )
  const rules = fc.record({
    dress: fc.constantFrom<Dress>('signs', 'elements'),
    element: fc.constantFrom<'x' | 'span'>('x', 'span'),
    everyNumber: fc.boolean(),
    terms: fc.constant([{ term: 'Fogline', said: 'Fogline' }]),
  })

  it('is the original again where nothing was translated', () => {
    fc.assert(
      fc.property(text, rules, (original, how) => {
        const { sent, restore } = protect({ text: original, markup: false }, how)
        expect(restore(sent)).toEqual({ ok: true, text: original })
      }),
      { numRuns: 500 },
    )
  })

  it('is the same markup again where nothing was translated', () => {
    fc.assert(
      fc.property(text, rules, (original, how) => {
        const { sent, restore } = protect({ text: original, markup: true }, how)
        const back = restore(sent)
        expect(back.ok && decodeEntities(back.text)).toBe(decodeEntities(original))
      }),
      { numRuns: 500 },
    )
  })

  it('never loses what was kept, whatever an engine answers', () => {
    fc.assert(
      fc.property(hard, rules, fc.string(), fc.nat(40), (parts, how, noise, at) => {
        const original = parts.join(' ')
        const { sent, restore } = protect({ text: original, markup: false }, how)
        const back = restore(sent.slice(0, at) + noise + sent.slice(at + noise.length))
        if (!back.ok) return
        for (const kept of findPlaceholders(original, how.terms, how.everyNumber))
          expect(back.text).toContain(kept.said)
      }),
      { numRuns: 500 },
    )
  })
})
