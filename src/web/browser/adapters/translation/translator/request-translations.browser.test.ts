import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#tests/support/browser-modules/fixture-shop.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aTranslatorPage } from '#tests/support/browser-modules/translator-page.ts'
import { asked } from '#tests/support/browser-modules/translator-shop.ts'

const { scene, german, put, shown, attribute } = aTranslatorPage()

describe('the doors', () => {
  const logs: string[] = []
  beforeEach(() => {
    logs.length = 0
    scene.page.on('console', (message) => logs.push(`${message.type()}: ${message.text()}`))
  })
  const notices = () => logs.filter((line) => /^info: Translations/.test(line)).length
  const errors = () => logs.filter((line) => /^error: Translations/.test(line)).length

  it('TRN-03 a fast one that says error, or nothing to the purpose, leads to the platform’s, which is asked the same', async () => {
    const replies: [string, string, Reply][] = [
      ['Add to cart', 'In den Warenkorb', { json: 'error' }],
      ['Reviews', 'Bewertungen', { status: 500 }],
      ['Reply', 'Antworten', { status: 429 }],
      ['Read more', 'Mehr lesen', { body: '<!doctype html>' }],
    ]
    await german()
    for (const [time, [text, translated, reply]] of replies.entries()) {
      scene.shop.at('/api/translate', () => reply)
      await put(`<p>${text}</p>`)
      await eventually(() => shown('#here :last-child')).toBe(translated)
      const [first, second, ...more] = asked(scene.shop)
      expect([first?.path, second?.path, more]).toEqual(['/api/translate', '/wp-admin/admin-ajax.php', []])
      expect(second?.body.toString()).toBe(first?.body.toString())
      expect([notices(), errors()]).toEqual([time + 1, 0])
      scene.shop.seen.length = 0
    }
  })

  it('TRN-03 when both fail the originals come back, each door asked once, both logged; after three times there is peace', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    scene.shop.at('/api/translate', () => ({ json: 'error' }))
    scene.shop.at('/wp-admin/admin-ajax.php', () => ({ status: 500 }))
    await put('<p id="text"> Add to cart </p><p title="Reply">Reviews</p>')
    await eventually(() => errors()).toBe(1)
    expect(await shown()).toBe(' Add to cart Reviews')
    expect(await attribute('[title]', 'title')).toBe('Reply')
    expect([asked(scene.shop).length, notices()]).toEqual([2, 1])
    for (const [time, text] of ['Two', 'Three'].entries()) {
      await put(`<p>${text}</p>`)
      await eventually(() => errors()).toBe(time + 2)
    }
    scene.shop.seen.length = 0
    await put('<p>Four</p>')
    await scene.page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    expect(asked(scene.shop)).toEqual([])
    expect(await shown()).toMatch(/TwoThreeFour$/)
  })

  it('TRN-03 an empty list and null give the originals back, and are no failure', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    for (const [body, text] of [
      ['[]', 'Add to cart'],
      ['null', 'Reviews'],
    ] as const) {
      scene.shop.seen.length = 0
      scene.shop.at('/api/translate', () => ({ body }))
      await put(`<p>${text}</p>`)
      await eventually(() => asked(scene.shop).length).toBe(1)
      await eventually(() => shown('#here :last-child')).toBe(text)
      expect([asked(scene.shop).length, notices(), errors()]).toEqual([1, 0, 0])
    }
  })

  it('TRN-03 a door that keeps silent for 3 seconds leaves nothing blank', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    const never = () => new Promise<Reply>(() => {})
    for (const path of ['/api/translate', '/wp-admin/admin-ajax.php']) scene.shop.at(path, never)
    await put('<p>Add to cart</p>')
    await eventually(() => shown()).toBe('')
    const since = Date.now()
    await expect.poll(() => shown(), { timeout: 15_000 }).toBe('Add to cart')
    expect(Date.now() - since).toBeGreaterThan(1500)
    await expect.poll(() => asked(scene.shop).length, { timeout: 15_000 }).toBe(2)
  })
})
