import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AttributionScript,
  attributionFields,
  attributionPrefix,
  trackerCookies,
} from '#contract/attribution/attribution.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'

const scene = aScene('tests/support/browser-modules/attribution-entry.ts')
const form = '<form class="checkout"><wc-order-attribution-inputs></wc-order-attribution-inputs></form>'
const remembered = trackerCookies.filter((name) => name !== 'sbjs_promo').toSorted()

type Given = {
  path?: string
  body?: string
  may?: boolean
  params?: Partial<AttributionScript['params']>
  before?: string
}

/** Opens a page with the tracker, as the shop's own entry starts it. */
async function open({ path = '/page/', body = form, may = true, params = {}, before = '' }: Given = {}): Promise<Page> {
  const script: AttributionScript = {
    params: {
      lifetime: 6,
      session: 30,
      base64: false,
      ajaxurl: '/',
      prefix: attributionPrefix,
      allowTracking: may,
      consentCategory: 'marketing',
      ...params,
    },
    fields: attributionFields,
  }
  const { page } = scene
  await page.addInitScript(([script, may]) => Object.assign(window, { wc_order_attribution: script, mayTrack: may }), [
    script,
    may,
  ] as const)
  if (before) await page.addInitScript(before)
  await scene.open({ body, entry: 'attribution-entry.js' }, path)
  await page.waitForFunction(() => 'sbjs' in window)
  return page
}

const cookies = async (page: Page) =>
  new Map((await page.context().cookies()).map((cookie) => [cookie.name, cookie] as const))
const names = async (page: Page) =>
  [...(await cookies(page)).keys()].filter((name) => name.startsWith('sbjs_')).toSorted()
const field = (page: Page, name: string) => page.locator(`[name=${attributionPrefix}${name}]`).inputValue()
const data = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'wc_order_attribution').getAttributionData() as Record<string, string | null>)
const consent = (page: Page, detail: unknown) =>
  page.evaluate((detail) => {
    document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change', { detail }))
  }, detail)

describe('the tracker in a browser', () => {
  it('ATTR-01 ATTR-04 fills one hidden input for each field, and keeps its cookies for the whole shop', async () => {
    const page = await open({ path: '/page/?utm_source=caf%C3%A9&utm_medium=email&utm_id=7#top' })
    const inputs = page.locator('wc-order-attribution-inputs > input[type=hidden]')
    expect(await inputs.evaluateAll((all) => all.map((one) => one.getAttribute('name')))).toEqual(
      Object.keys(attributionFields).map((name) => attributionPrefix + name),
    )
    expect(await field(page, 'source_type')).toBe('utm')
    expect(await field(page, 'utm_source')).toBe('café')
    expect(await field(page, 'utm_id')).toBe('7')
    expect(await field(page, 'utm_term')).toBe('(none)')
    expect(await field(page, 'session_entry')).toBe(page.url().replace('%C3%A9', 'é'))
    expect(await field(page, 'session_start_time')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(await field(page, 'user_agent')).toBe(await page.evaluate(() => navigator.userAgent))
    expect(await names(page)).toEqual(remembered)
    const kept = await cookies(page)
    const days = ((kept.get('sbjs_current')?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(179)
    expect(days).toBeLessThanOrEqual(180)
    expect(kept.get('sbjs_current')?.path).toBe('/')
    expect(await page.evaluate(() => Reflect.get(window, 'sbjs').get.current.src)).toBe('café')
    expect(scene.errors).toEqual([])
  })

  it('ATTR-03 counts pages within a visit, and another visit when its cookie has gone', async () => {
    const page = await open({ path: '/page/?utm_source=news' })
    await page.goto(`${scene.shop.url}/page/`)
    await eventually(() => data(page)).toMatchObject({ utm_source: 'news', session_pages: '2', session_count: '1' })
    await page.context().clearCookies({ name: 'sbjs_session' })
    await page.reload()
    await eventually(() => data(page)).toMatchObject({ utm_source: 'news', session_pages: '1', session_count: '2' })
  })

  it('ATTR-03 keeps cookies until the browser closes where the shop names no lifetime to speak of', async () => {
    const page = await open({ params: { lifetime: 0.000_01 } })
    expect((await cookies(page)).get('sbjs_first')?.expires).toBe(-1)
  })

  it('P13 ATTR-05 keeps nothing before it may, starts with this page once it may, and deletes all when it may no longer', async () => {
    const page = await open({ path: '/page/?utm_source=news', may: false })
    expect(await names(page)).toEqual([])
    expect(await field(page, 'utm_source')).toBe('')
    expect(new Set(Object.values(await data(page)))).toEqual(new Set([null]))

    await consent(page, { statistics: 'allow' })
    expect(await names(page)).toEqual([])
    await consent(page, { marketing: 'allow' })
    expect(await names(page)).toEqual(remembered)
    expect(await field(page, 'utm_source')).toBe('news')
    // Repeated consent counts the page once.
    await consent(page, { marketing: 'allow' })
    expect(await field(page, 'session_pages')).toBe('1')

    await consent(page, { marketing: 'deny' })
    expect(await names(page)).toEqual([])
    expect(await page.evaluate(() => document.cookie)).not.toContain('sbjs')
    for (const name of Object.keys(attributionFields)) expect(await field(page, name), name).toBe('')
    expect(new Set(Object.values(await data(page)))).toEqual(new Set([null]))
  })

  it('ATTR-05 asks again when a consent tool makes itself known, and is turned on and off by other scripts', async () => {
    const page = await open({ may: false })
    await page.evaluate(() => {
      Reflect.set(window, 'mayTrack', true)
      document.dispatchEvent(new CustomEvent('wp_consent_type_defined'))
    })
    expect(await names(page)).toEqual(remembered)
    const turn = (allow: boolean) =>
      page.evaluate((allow) => Reflect.get(window, 'wc_order_attribution').setOrderTracking(allow), allow)
    await turn(false)
    expect(await names(page)).toEqual([])
    await turn(true)
    expect(await field(page, 'source_type')).toBe('typein')
    for (const detail of [undefined, null, 'marketing', 7, []]) await consent(page, detail)
    expect(await names(page)).toEqual(remembered)
  })

  it('P13 ATTR-05 deletes what it kept on every domain of this host', async () => {
    const page = await open({ params: { domain: { host: '', isolate: true } } })
    expect(await names(page)).toEqual(remembered)
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: as another version of the tracker wrote it
      document.cookie = `sbjs_promo=1; domain=.${location.hostname}; path=/`
    })
    await consent(page, { marketing: 'deny' })
    expect(await names(page)).toEqual([])
  })

  it('ATTR-06 says in the console which field another script has removed', async () => {
    const page = await open()
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await page.locator('[name=wc_order_attribution_utm_term]').evaluate((input) => input.remove())
    await consent(page, { marketing: 'deny' })
    await eventually(() => warnings.join()).toContain('wc_order_attribution_utm_term')
    expect(warnings).toHaveLength(1)
    expect(scene.errors).toEqual([])
  })

  it('ATTR-01 posts one set of inputs: that of the checkout, wherever others stand', async () => {
    const inputs = '<wc-order-attribution-inputs></wc-order-attribution-inputs>'
    const page = await open({ body: `<form>${inputs}</form>${form}${inputs}` })
    expect(await page.locator('wc-order-attribution-inputs').count()).toBe(1)
    expect(await page.locator('form.checkout wc-order-attribution-inputs > input').count()).toBe(16)
    // A form inserted later finds the values, and so does markup that replaces it.
    await page.locator('form.checkout').evaluate((it) => {
      it.replaceChildren(document.createElement('wc-order-attribution-inputs'))
    })
    expect(await field(page, 'source_type')).toBe('typein')
    // Other scripts may set them.
    const set = await page.evaluate(() => {
      const element = document.createElement('wc-order-attribution-inputs')
      document.body.append(element)
      Reflect.set(element, 'values', { utm_source: '<b>x</b>' })
      return element.querySelector<HTMLInputElement>('[name$=utm_source]')?.value
    })
    expect(set).toBe('<b>x</b>')
  })

  it.each([
    ['a cookie of 4 KB', `document.cookie = 'sbjs_current=' + 'x'.repeat(4000)`],
    ['broken percent-encoding', `document.cookie = 'sbjs_udata=%E0%A4%A'; document.cookie = 'sbjs_session=%uD800|||%'`],
    ['bars and names of what every object has', `document.cookie = 'sbjs_first=|||__proto__=1|||constructor=2|||'`],
    [
      'cookies that cannot be read',
      `Object.defineProperty(Document.prototype, 'cookie', { get() { throw new DOMException('no', 'SecurityError') }, set() { throw new DOMException('no', 'SecurityError') } })`,
    ],
    ['cookies that are not kept', `Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })`],
  ])('ATTR-04 survives %s', async (_, before) => {
    const page = await open({ before, path: '/page/?utm_source=fine' })
    expect(await page.locator('wc-order-attribution-inputs > input').count()).toBe(16)
    expect(['fine', null]).toContain((await data(page)).utm_source)
    await consent(page, { marketing: 'deny' })
    expect(await field(page, 'utm_source')).toBe('')
    expect(scene.errors).toEqual([])
  })
})

describe('the tracker’s weight', () => {
  let built: Bundle
  beforeAll(async () => {
    built = await bundle('src/web/browser/adapters/measure/measure.ts')
  })

  it('ATTR-02 is at most 3 KB compressed, and comes apart from everything else', () => {
    const [name = ''] = [...built.files.keys()].filter((file) => file.startsWith('start-attribution'))
    expect(built.files.get(name)).toContain('utm_')
    expect(built.eager).not.toContain(name)
    expect(gzipSync(built.files.get(name) ?? '', { level: 9 }).byteLength).toBeLessThanOrEqual(3 * 1024)
  })
})
