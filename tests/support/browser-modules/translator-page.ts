import { beforeEach } from 'vitest'
import { aScene, type Scene } from './scene.ts'
import { answerTo, translatorSettings } from './translator-shop.ts'

/** The trusted type policy of the third-party script that runs on every page of `aTranslatorPage`. */
declare const policy: { createHTML(html: string): string }

/** A scene whose shop answers the translator's requests, and where a script may put markup into the element `#here`. */
export function aTranslatorPage() {
  const scene: Scene = aScene()
  beforeEach(async () => {
    scene.shop.at('/api/translate', (seen) => answerTo(seen))
    scene.shop.at('/wp-admin/admin-ajax.php', (seen) => answerTo(seen))
    // A third-party script: the fixture's policy allows markup to the shop's scripts only.
    await scene.page.route('**/page/*', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers() }
      delete headers['content-security-policy']
      await route.fulfill({ response, headers })
    })
    await scene.page.addInitScript('window.policy = { createHTML: (html) => html }')
  })
  return {
    scene,
    /** Opens a page in German. */
    german: (more: Parameters<typeof translatorSettings>[0] = {}, body = '<main id="here"></main>') =>
      scene.open({ body, settings: translatorSettings(more) }),
    put: (html: string) =>
      scene.page.evaluate((html) => {
        const template = document.createElement('div')
        template.innerHTML = policy.createHTML(html)
        document.getElementById('here')?.append(...template.childNodes)
      }, html),
    /** The visible text in the document tree. */
    shown: (selector = '#here') => scene.page.$eval(selector, (element) => element.textContent),
    attribute: (selector: string, name: string) =>
      scene.page.$eval(selector, (element, name) => element.getAttribute(name), name),
  }
}
