import { describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aTranslatorPage } from '#tests/support/browser-modules/translator-page.ts'
import { asked, translatorSettings } from '#tests/support/browser-modules/translator-shop.ts'

const { scene, put, shown, attribute } = aTranslatorPage()

describe('a page in the editor', () => {
  const facts = {
    language: 'de-DE',
    nonce: 'n-editor',
    ajaxUrl: '/wp-admin/admin-ajax.php',
    key: 'k',
    path: '/',
    words: {},
  }
  const frame = `<script type="application/json" id="vitrine-editor-frame">${JSON.stringify(facts)}</script>`

  it('TRN-09 asks at the platform’s door with the editor’s nonce, wraps texts and tags elements', async () => {
    const settings = translatorSettings()
    await scene.open({ body: `<main id="here"></main>${frame}`, settings }, '/page/?trp-edit-translation=preview')
    await scene.page.evaluate(() => {
      addEventListener('trp_iframe_page_updated', () => document.body.setAttribute('data-updated', ''))
    })
    await put('<p> Add to cart </p><p title="Reply">Nobody knows</p>')
    const wrapped = scene.page.locator('#here translate-press')
    await eventually(() => wrapped.count()).toBe(1)
    await scene.page.locator('body[data-updated]').waitFor()
    expect(await wrapped.evaluate((element) => element.outerHTML)).toMatch(
      /^<translate-press data-trp-translate-id="\d+" data-trp-node-group="Dynamic Added Strings"> In den Warenkorb <\/translate-press>$/,
    )
    expect(await attribute('[title]', 'data-trp-translate-id-title')).toMatch(/^\d+$/)
    expect(await attribute('[title]', 'data-trp-node-group-title')).toBe('Dynamic Added Strings')
    expect(await attribute('[title]', 'title')).toBe('Antworten')
    const [request, ...more] = asked(scene.shop)
    expect([request?.path, request?.body.get('security'), more]).toEqual(['/wp-admin/admin-ajax.php', 'n-editor', []])
  })

  it('TRN-09 is only one that the server has made so', async () => {
    await scene.open(
      { body: '<main id="here"></main>', settings: translatorSettings() },
      '/page/?trp-edit-translation=preview',
    )
    await put('<p>Add to cart</p>')
    await eventually(() => shown()).toBe('In den Warenkorb')
    expect(await scene.page.locator('translate-press').count()).toBe(0)
    expect(asked(scene.shop).map(({ path }) => path)).toEqual(['/api/translate'])
  })
})
