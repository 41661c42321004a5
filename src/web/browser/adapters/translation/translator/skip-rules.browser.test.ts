import { describe, expect, it } from 'vitest'
import type { Seen } from '#tests/support/browser-modules/fixture-shop.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aTranslatorPage } from '#tests/support/browser-modules/translator-page.ts'
import {
  answerTo,
  asked,
  originalsOf,
  skippedOf,
  type translatorSettings,
} from '#tests/support/browser-modules/translator-shop.ts'

const { scene, german, put, shown, attribute } = aTranslatorPage()

describe('what is left alone', () => {
  const unseen = async (html: string, more: Parameters<typeof translatorSettings>[0] = {}) => {
    await german(more)
    await put(`${html}<p>Reviews</p>`)
    await eventually(() => asked(scene.shop).length).toBe(1)
    return originalsOf(asked(scene.shop)[0] as Seen)
  }

  it('TRN-05 texts of blanks, figures and signs; figures count where the numerals are wanted', async () => {
    const html = '<p> 12.50 % </p><p>$ 3,00 &lt;€&gt;</p><p>\u00a0\u2003–’</p><p>"</p><p>¥ 5</p><p>(1/2)</p>'
    expect(await unseen(html)).toEqual(['–’', '"', '¥ 5', 'Reviews'])
    await scene.page.evaluate(() => document.getElementById('here')?.replaceChildren())
    scene.shop.seen.length = 0
    expect(await unseen('<p>12</p><p>—.</p><p>..</p>', { trp_translate_numerals_opt: 'yes' })).toEqual([
      '12',
      '—.',
      'Reviews',
    ])
  })

  it('TRN-06 elements by their selectors, texts by a list, and addresses by a part of them', async () => {
    const html = `<div data-no-translation><p>Hidden <i>deep</i></p></div><div data-no-dynamic-translation>No</div>
      <p class="mine">Not this</p><p>Exactly this</p><p>Exactly this one</p><textarea>Typed</textarea><p translate="no">Brand</p>
      <script type="text/plain">code</script><style>p { color: inherit }</style><div contenteditable>Being written</div>
      <a href="https://googleads.test/x">Read more</a><p title="Reply" data-trp-translate-id-title="7">What came translated</p>`
    const more = {
      trp_skip_selectors: [
        '[data-no-translation]',
        '[data-no-dynamic-translation]',
        'script',
        'style',
        '.mine',
        '<not one>',
      ],
      skip_strings_from_dynamic_translation: ['Exactly this'],
    }
    expect(await unseen(html, more)).toEqual(['Exactly this one', 'Read more', 'What came translated', 'Reviews'])
  })

  it('TRN-06 a text that a script puts back each time, once it was met two times more than is allowed', async () => {
    await german({ duplicate_detections_allowed: '3' })
    await put('<p id="text">x</p>')
    for (let time = 1; time <= 5; time += 1) {
      await scene.page.evaluate(() => document.getElementById('text')?.replaceChildren('Add to cart'))
      await eventually(() => shown('#text')).toBe('In den Warenkorb')
    }
    await scene.page.evaluate(() => document.getElementById('text')?.replaceChildren('Add to cart'))
    await put('<p id="after">Reviews</p>')
    await eventually(() => shown('#after')).toBe('Bewertungen')
    expect(await shown('#text')).toBe('Add to cart')
  })

  it('TRN-07 addresses go among those that no machine translates, and lead nowhere but to pages', async () => {
    const known = {
      'https://example.test/en': 'https://example.test/de',
      '/en.png': '/de.png',
      'https://example.test/bad': 'javascript:alert(1)',
      'mailto:us@example.test': 'data:text/html,x',
      Reviews: 'Bewertungen',
    }
    scene.shop.at('/api/translate', (seen) => answerTo(seen, known))
    await german()
    await put(`<a id="a" href="https://example.test/en">Reviews</a><a id="b" href="https://example.test/bad">Reviews</a>
      <a id="c" href="mailto:us@example.test">Reviews</a><img id="d" src="/en.png" srcset="/big.png 2x" alt="">
      <p data-no-auto-translation>Guessed</p>`)
    await eventually(() => attribute('#a', 'href')).toBe('https://example.test/de')
    const [request] = asked(scene.shop) as [Seen]
    const addresses = ['https://example.test/en', 'https://example.test/bad', 'mailto:us@example.test', '/en.png']
    expect([...skippedOf(request)].sort()).toEqual([...addresses, 'Guessed'].sort())
    expect(originalsOf(request)).toEqual(expect.arrayContaining([...addresses, 'Guessed', 'Reviews']))
    expect(await attribute('#b', 'href')).toBe('https://example.test/bad')
    expect(await attribute('#c', 'href')).toBe('mailto:us@example.test')
    expect([await attribute('#d', 'src'), await attribute('#d', 'srcset'), await attribute('#d', 'data-src')]).toEqual([
      '/de.png',
      '',
      '/de.png',
    ])
  })

  it('TRN-11 what the browser itself translates', async () => {
    const fonts = '<p><font><font>Przeczytaj</font></font></p><p _msttexthash="1">Przeczytaj</p>'
    expect(await unseen(fonts)).toEqual(['Reviews'])
    await scene.page.evaluate(() => document.documentElement.classList.add('translated-ltr'))
    await put('<p>Read more</p>')
    await scene.page.evaluate(() => document.documentElement.classList.remove('translated-ltr'))
    await put('<p>Reply</p>')
    await eventually(() => shown()).toMatch(/Antworten$/)
    expect(asked(scene.shop).map(originalsOf)).toEqual([['Reviews'], ['Reply']])
  })

  it('TRN-11 what React renders, but for foreign markup in it', async () => {
    const island =
      '<vitrine-island when="interaction" name="x"><p>Rendered</p><div data-tm-island><p>Read more</p></div></vitrine-island>'
    expect(await unseen(island)).toEqual(['Read more', 'Reviews'])
  })

  it('TRN-11 what an option sends, what is typed and where somebody is', async () => {
    await german()
    await put('<select id="s"><option>Reviews</option></select><input id="i" placeholder="Read more">')
    await scene.page.fill('#i', 'typed')
    await eventually(() => shown('option')).toBe('Bewertungen')
    await eventually(() => attribute('#i', 'placeholder')).toBe('Mehr lesen')
    expect(await scene.page.$eval('#s', (it) => (it as HTMLSelectElement).value)).toBe('Reviews')
    expect(await scene.page.inputValue('#i')).toBe('typed')
    expect(await scene.page.evaluate(() => document.activeElement?.id)).toBe('i')
  })
})
