import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '#tests/support/process/processor-time.ts'
import { allowedMarkup } from './allowed-markup.ts'
import { cleanTranslation, samePlaces } from './clean-translation.ts'

describe('markup that a translator may write', () => {
  it('is stressed words and links that lead somewhere', () => {
    const fine = 'Mehr <b>dazu</b> im <a href="/faq/" title="Fragen" lang="de">Heft</a>,<br>x<sup>2</sup>'
    expect(allowedMarkup(fine)).toBe(fine)
    for (const href of [
      'https://shop.example/?a=1&amp;b=2',
      'mailto:a@b.example',
      'tel:+49',
      '#top',
      '?x=1:2',
      '//cdn.example/',
    ])
      expect(allowedMarkup(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`)
  })

  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<b onclick="alert(1)" style="color:red">x</b>', '<b>x</b>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&#106;avascript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&#x6A;ava&Tab;script:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<a href="/x" href="javascript:1">x</a>', '<a href="/x">x</a>'],
    ['<b title="&quot;><script>">x</b>', '<b title="&quot;&gt;&lt;script&gt;">x</b>'],
    ['<!-- x --><b', '&lt;!-- x --&gt;&lt;b'],
    ['<b>fett', '<b>fett</b>'],
    ['<b><i>x</b></i>', '<b><i>x</i></b>'],
    ['</span>x', 'x'],
    ['Salz & Pfeffer &amp; &copy; 1 < 2', 'Salz &amp; Pfeffer &amp; &copy; 1 &lt; 2'],
    ['<svg/onload=alert(1)>', '&lt;svg/onload=alert(1)&gt;'],
    ['<a/href="javascript:alert(1)">x', '&lt;a/href="javascript:alert(1)"&gt;x'],
  ])('makes text of the rest: %s', (written, kept) => expect(allowedMarkup(written)).toBe(kept))

  it('comes out the same a second time, and holds no tag that is not allowed', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      '=',
      '/',
      'b',
      'a ',
      'script',
      'br',
      'href',
      'on',
      ':',
      ' ',
      '&lt;',
      '<b>',
      '</b>',
      '<a href="',
      'x',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
        ),
        (written) => {
          const once = allowedMarkup(written)
          expect(allowedMarkup(once)).toBe(once)
          expect(once.replace(/<\/?(?:a|b|br)(?: (?:href|title|lang|dir)="[^"<>]*")*>/g, '')).not.toMatch(/[<>]/)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('reads forty thousand signs of nonsense in a moment', () => {
    const ms = processorMs(() => {
      for (const part of ['<', '<a ', '<b a=', '&', '<a href="', '</', '<b>'])
        allowedMarkup(part.repeat(40_000 / part.length))
    })
    expect(ms).toBeLessThan(3000)
  })
})

describe('a translation as it is kept', () => {
  const text = { text: 'Add to cart', markup: false }

  it('has no control characters, and nothing that turns the direction of what follows', () => {
    expect(cleanTranslation(text, 'a\u0000b\u202Ec\u2066d\uD800')).toBe('abcd\uFFFD')
    expect(cleanTranslation({ text: '\u2068x\u2069', markup: false }, '\u2068y\u2069')).toBe('\u2068y\u2069')
    expect(cleanTranslation(text, '\u200Fسلة')).toBe('\u200Fسلة')
  })

  it('is text where the original is', () => {
    expect(cleanTranslation(text, '<b>x</b> & y')).toBe('<b>x</b> & y')
    expect(cleanTranslation({ text: '<i>a</i>', markup: true }, '<b>x</b> & <u onclick=a>y')).toBe(
      '<b>x</b> &amp; <u>y</u>',
    )
  })

  it('fills in what the original fills in', () => {
    expect(samePlaces('%s of %s', '%2$s: %1$s')).toBe(true)
    expect(samePlaces('%s of %s', '%s')).toBe(false)
    expect(samePlaces('%s', '%1$s, %1$s')).toBe(true)
    expect(samePlaces('none', '%s')).toBe(false)
  })
})
