import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTranslatable, segmentsOf, withSegments } from './markup.ts'

const textsOf = (html: string) => segmentsOf(html).map(({ text }) => text)
const again = (html: string) => withSegments(html, textsOf(html))

describe('the texts of markup', () => {
  it('TRN-01 are those of its paragraphs, headings, entries and cells, as plain text', () => {
    const html =
      '<h2>Care &amp; use</h2>\n<p>Wash <!-- by hand -->cold.</p><ul><li>One</li><li> Two </li></ul><td>Three</td>tail'
    expect(textsOf(html)).toEqual(['Care & use', 'Wash', 'cold.', 'One', 'Two', 'Three', 'tail'])
  })

  it('keep the elements inside of a sentence, and not those around it', () => {
    expect(segmentsOf('<p>See <a href="/x/">our <b>terms</b></a> first.<br>Then write.</p>')).toEqual([
      { text: 'See <a href="/x/">our <b>terms</b></a> first.<br>Then write.', markup: true },
    ])
    expect(segmentsOf('<li><a href="/x/" title="More of it"><strong>Terms</strong></a></li>')).toEqual([
      { text: 'More of it', markup: false },
      { text: 'Terms', markup: false },
    ])
  })

  it('are in alternative texts, titles, labels, placeholders and buttons too', () => {
    const html = `<img alt="A blue vase" src=x.png><input type=submit value='Send it' data-x="No"><input type="text" value="kept" placeholder="Your name"><a aria-label="Close" title='Say "no"'></a>`
    expect(textsOf(html)).toEqual(['A blue vase', 'Send it', 'Your name', 'Close', 'Say "no"'])
    expect(withSegments(html, ['Eine "blaue" Vase', 'Los'])).toContain(
      '<img alt="Eine &quot;blaue&quot; Vase" src=x.png>',
    )
    expect(withSegments(html, [undefined, 'Los'])).toContain('value="Los" data-x="No"')
  })

  it('TRN-06 are not in scripts, styles, code, fields, and what says that it is not to be translated', () => {
    for (const html of [
      '<script>let a = "<p>text</p>"</script>',
      '<SCRIPT/>alert(1)</SCRIPT>',
      '<style>p { color: red }</style>',
      '<pre>some <b>code</b></pre><code>npm start</code>',
      '<textarea>typed by hand</textarea>',
      '<p translate="no">Vitrine</p><div class="x notranslate"><p>Vitrine <i>two</i></p></div>',
      '<svg><text>sign</text></svg>',
      '<!-- said <b>nothing</b> --><![CDATA[<p>x</p>]]><?php echo ?><!doctype html>',
      '<p>never closed <a href="',
      '<p>12 %</p><p>$ 4.50</p><p>https://example.com/a</p><p>a@example.com</p><p>[gallery ids="1,2"]</p> &nbsp; ',
    ])
      expect(textsOf(html), html).toEqual(html.startsWith('<p>never') ? ['never closed'] : [])
    expect(textsOf('<textarea placeholder="Say it">typed</textarea>')).toEqual(['Say it'])
    expect(textsOf('<p>Made by <span translate="no">Acme</span> in Bern</p>')).toEqual([
      'Made by <span translate="no">Acme</span> in Bern',
    ])
  })

  it('take no element apart that begins in one paragraph and ends in another', () => {
    const html = '<p>one <b>two</p><p>three</b> four</p>'
    expect(segmentsOf(html).every(({ markup }) => !markup)).toBe(true)
    expect(withSegments(html, ['eins', 'zwei', 'drei', 'vier'])).toBe('<p>eins <b>zwei</p><p>drei</b> vier</p>')
  })
})

describe('markup in other words', () => {
  it('has them where the texts were, as text', () => {
    expect(withSegments('<p> One &lt;2 </p><p>Two</p>', ['<script>$&</script>', 'a & b'])).toBe(
      '<p> &lt;script&gt;$&amp;&lt;/script&gt; </p><p>a &amp; b</p>',
    )
  })

  it('shows of a text with elements what is allowed, and how its elements look', () => {
    const html = '<p>Read <a class="button" href="/a/" target=_blank>the <b>terms</b></a> first</p>'
    expect(
      withSegments(html, ['Zuerst <a href="/b/" onclick="x()">die <b>AGB</b></a> lesen<script>x</script><i>']),
    ).toBe(
      '<p>Zuerst <a class="button" target="_blank" href="/b/">die <b>AGB</b></a> lesen&lt;script&gt;x&lt;/script&gt;<i></i></p>',
    )
    expect(withSegments(html, ['<a href="javascript:x()">AGB</a>'])).not.toContain('javascript')
  })

  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<a href="/x" title="More here">',
      '</a>',
      '<br/>',
      '<',
      '>',
      '"',
      "'",
      '&',
      '=',
      '/',
    ),
    fc.constantFrom(
      '&nbsp;',
      '&amp;',
      '&lt;',
      '&bogus;',
      '&#x26;',
      '<!--',
      '-->',
      '<script>',
      '</script',
      '<pre>',
      '</pre>',
    ),
    fc.constantFrom(
      '<img alt="A vase">',
      '<span translate=no>',
      '</span>',
      '<li a=',
      '<code>',
      '</code>',
      ' ',
      '\n',
      '$&',
      'word',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const anyMarkup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('is the same markup, byte for byte, in the same words, whatever it is', () => {
    fc.assert(
      fc.property(anyMarkup, (html) => {
        expect(again(html)).toBe(html)
      }),
      { numRuns: 3000 },
    )
  })

  it('keeps everything that is not said, in its order', () => {
    fc.assert(
      fc.property(anyMarkup, (html) => {
        fc.pre(!html.includes('\uE000'))
        const segments = segmentsOf(html)
        const said = withSegments(
          html,
          segments.map(() => '\uE000'),
        )
        // The text between the marks equals the markup between the segments.
        let from = 0
        for (const part of said.split(/"?\uE000"?/)) {
          const at = html.indexOf(part, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + part.length
        }
        expect(said.split('\uE000')).toHaveLength(segments.length + 1)
      }),
      { numRuns: 1000 },
    )
  })

  it('is quick with much of it, and with what never ends', () => {
    const many = '<p>A text &amp; more</p>\n'.repeat(20_000)
    expect(segmentsOf(many)).toHaveLength(20_000)
    for (const html of [
      '<b>'.repeat(50_000),
      `a${' '.repeat(200_000)}b`,
      '<a b="'.repeat(50_000),
      '<!--'.repeat(50_000),
      '<pre>'.repeat(50_000),
    ])
      expect(again(html)).toBe(html)
  }, 5000)
})

it('a text that is translated has a letter, and is no address', () => {
  for (const text of [
    '12 %',
    '',
    '  ',
    '4,50 €',
    'http://x.example/a',
    'www.example.com',
    'mailto:a@b.example',
    '/shop/',
    '[cart]',
  ])
    expect(isTranslatable(text), text).toBe(false)
  for (const text of ['Vase', '12 cm', 'Δοκιμή', '花瓶', 'a/b', 'and [more]'])
    expect(isTranslatable(text), text).toBe(true)
})
