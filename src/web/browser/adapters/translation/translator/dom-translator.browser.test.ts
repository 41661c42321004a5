import { describe, expect, it } from 'vitest'
import type { Reply, Seen } from '#tests/support/browser-modules/fixture-shop.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aTranslatorPage } from '#tests/support/browser-modules/translator-page.ts'
import { answerTo, asked, originalsOf } from '#tests/support/browser-modules/translator-shop.ts'

const { scene, german, put, shown, attribute } = aTranslatorPage()

/** Holds responses back until they are released. */
function gate() {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const hold = async (seen: Seen): Promise<Reply> => {
    await opened
    return answerTo(seen)
  }
  return { open: () => open(), hold }
}

describe('what is put into a page in another language', () => {
  it('TRN-01 TRN-02 is translated on the fly, with one request that says all the wire asks for', async () => {
    await german()
    await put('<p> Add to cart </p><p><b>Reviews</b> 12</p><p>Add to cart</p>')
    await eventually(() => shown()).toBe(' In den Warenkorb Bewertungen 12In den Warenkorb')
    const [request, ...more] = asked(scene.shop)
    expect(more).toEqual([])
    expect([request?.method, request?.path]).toEqual(['POST', '/api/translate'])
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect(Object.fromEntries(request?.body ?? [])).toEqual({
      action: 'trp_get_translations_regular',
      all_languages: 'false',
      security: 'n-gettranslationsnonceregular',
      language: 'de_DE',
      original_language: 'en_US',
      originals: '["Add to cart","Reviews"]',
      skip_machine_translation: '[]',
      dynamic_strings: 'true',
      translate_numerals_opt: 'no',
    })
    expect(scene.errors).toEqual([])
  })

  it('TRN-01 is not looked at in the shop’s own language, and nothing is loaded where nothing is put', async () => {
    await scene.open({ body: '<main id="here"></main>' })
    const loaded = (name: string) =>
      scene.page.evaluate((name) => performance.getEntriesByType('resource').some((it) => it.name.includes(name)), name)
    await put('<p>Add to cart</p>')
    await german()
    await scene.page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    expect(await loaded('start-translator')).toBe(false)
    await put('<p>Reviews</p>')
    await eventually(() => shown()).toBe('Bewertungen')
    expect(await loaded('start-translator')).toBe(true)
    expect(asked(scene.shop)).toHaveLength(1)
  })

  it('TRN-01 is asked for once: what is known, and what is known to be unknown, is not asked for again', async () => {
    await german()
    await put('<p>Add to cart</p><p>Nobody knows</p>')
    await eventually(() => shown()).toBe('In den WarenkorbNobody knows')
    await put('<p>Add to cart</p><p>Nobody knows</p><p>Reviews</p>')
    await eventually(() => shown()).toMatch(/Bewertungen$/)
    expect(asked(scene.shop).map(originalsOf)).toEqual([['Add to cart', 'Nobody knows'], ['Reviews']])
  })

  it('TRN-01 comes out as text, whatever stands in it', async () => {
    await german()
    await put(['length', '__proto__', 'constructor', 'Dollars', 'Hot &amp; cold'].map((it) => `<p>${it}</p>`).join('|'))
    await eventually(() => shown()).toBe('Länge|Prototyp|Erbauer|$& $1 $$|Heiß & <b>kalt</b> <i>und</i> &amp;')
    expect(await scene.page.locator('#here :is(b, i)').count()).toBe(0)
  })

  it('TRN-01 keeps the blanks around it, and follows a text that is changed in place', async () => {
    await german({}, '<main id="here"><p>Schon da</p></main>')
    await scene.page.evaluate(() =>
      document.getElementById('here')?.append('You have ', 'Reviews ', document.createElement('b')),
    )
    await eventually(() => shown()).toBe('Schon daYou have Bewertungen ')
    await scene.page.evaluate(() => {
      const text = document.querySelector('#here p')?.firstChild
      if (text) text.nodeValue = ' Read more '
      document.querySelector('#here p')?.setAttribute('title', 'Reply')
    })
    await eventually(() => attribute('#here p', 'title')).toBe('Antworten')
    await eventually(() => shown('#here p')).toBe(' Mehr lesen ')
  })
})

describe('while a translation is on its way', () => {
  it('TRN-04 texts are blank unless they are to be seen before, and attributes never are', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german({ showdynamiccontentbeforetranslation: '' })
    await put(
      '<p>Add to cart</p><p title="Reply" aria-label="Reply">Reviews</p><input type="submit" value="Reply"><input placeholder="Read more">',
    )
    await eventually(() => shown()).toBe('')
    expect(await attribute('[title]', 'title')).toBe('Reply')
    expect(await attribute('[aria-label]', 'aria-label')).toBe('Reply')
    expect(await attribute('[placeholder]', 'placeholder')).toBe('Read more')
    expect(await attribute('[type=submit]', 'value')).toBe('Reply')
    open()
    await eventually(() => shown()).toBe('In den WarenkorbBewertungen')
    expect(await attribute('[title]', 'title')).toBe('Antworten')
    expect(await attribute('[type=submit]', 'value')).toBe('Antworten')
    expect(await attribute('[placeholder]', 'placeholder')).toBe('Mehr lesen')
  })

  it('TRN-04 they are seen in their own language where that is wanted, but for a text that is put in bare', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german()
    await put('<p>Add to cart</p>')
    await scene.page.evaluate(() => document.getElementById('here')?.append('Reviews'))
    await eventually(() => asked(scene.shop).length).toBeGreaterThan(0)
    expect(await shown()).toBe('Add to cart')
    open()
    await eventually(() => shown()).toBe('In den WarenkorbBewertungen')
  })

  it('TRN-04 a text that becomes another is not overwritten', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german({ showdynamiccontentbeforetranslation: '' })
    await put('<p id="one">Add to cart</p><p id="two">Reviews</p><p id="three">Reply</p><p id="four">Read more</p>')
    await eventually(() => shown()).toBe('')
    await scene.page.evaluate(() => {
      const [one, two] = ['one', 'two'].map((id) => document.getElementById(id)?.firstChild)
      if (one) one.nodeValue = '7 in the cart'
      if (two) two.nodeValue = ''
      // A script that does not see the blank text writes the same again.
      const four = document.getElementById('four')?.firstChild
      if (four) four.nodeValue = 'Read more'
    })
    open()
    await eventually(() => shown('#three')).toBe('Antworten')
    await eventually(() => shown('#one')).toBe('7 in the cart')
    expect(await shown('#two')).toBe('')
    await eventually(() => shown('#four')).toBe('Mehr lesen')
  })
})
