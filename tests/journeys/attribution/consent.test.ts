import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackerCookies } from '#contract/attribution/attribution.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone, type VisitorOptions } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { measureScripts } from '../../../bench/support/measure-scripts.ts'

const landing = '/shop/?utm_source=news&utm_medium=email'
let browser: Browser
let asking: TestShop
let silent: TestShop
let scripts: ReadonlyMap<string, string>
beforeAll(async () => {
  const settings = {
    consent: { banner: true, categories: ['preferences'] },
    statistics: { needsConsent: true },
  }
  ;[browser, scripts, asking, silent] = await Promise.all([
    aBrowser(),
    measureScripts(),
    aShop({ wallet: false, settings }),
    aShop({ wallet: false }),
  ])
})
afterAll(async () => {
  await browser.close()
  await asking.close()
  await silent.close()
})

const form = (page: Page) => page.getByRole('form', { name: 'Privacy choices' })
const button = (page: Page, name: string) => form(page).getByRole('button', { name, exact: true })
const link = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: 'Privacy choices' })
const cookies = async (page: Page) =>
  Object.fromEntries((await page.context().cookies()).map(({ name, value }) => [name, decodeURIComponent(value)]))
const cookieNames = async (page: Page, beginning: string) =>
  Object.keys(await cookies(page)).filter((name) => name.startsWith(beginning))
const answers = async (page: Page) =>
  Object.entries(await cookies(page)).flatMap(([name, value]) =>
    name.startsWith('wp_consent_') ? [`${name.slice('wp_consent_'.length)} ${value}`] : [],
  )
/** All that the tracker remembers; a promotion's code only where one is wanted. */
const remembered = trackerCookies.filter((name) => name !== 'sbjs_promo').sort()

/** A visitor whose requests are noted, and who hears what scripts are told of consent. */
async function aMeasured(shop: TestShop, options: VisitorOptions & { gpc?: boolean } = {}) {
  const { gpc = false, ...rest } = options
  const visitor = await aShopper(browser, shop, rest)
  const asked: string[] = []
  visitor.page.context().on('request', (request) => asked.push(new URL(request.url()).pathname))
  await visitor.page.context().addInitScript((control) => {
    if (control) Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })
    const heard: unknown[] = []
    Reflect.set(window, 'heard', heard)
    document.addEventListener('wp_listen_for_consent_change', (event) => {
      if (event instanceof CustomEvent) heard.push(event.detail)
    })
    document.addEventListener('wp_consent_type_defined', () => heard.push(Reflect.get(window, 'wp_consent_type')))
  }, gpc)
  /** What was fetched that measures, without what only asks. */
  const fetched = () => {
    const measuring = new Set([...scripts.values()].filter((path) => path !== scripts.get('measure.ts')))
    return asked.filter((path) => measuring.has(path) || path.startsWith('/api/stats'))
  }
  return Object.assign(visitor, { asked, fetched })
}

const heard = (page: Page) => page.evaluate(() => Reflect.get(window, 'heard'))

describe('before an answer', () => {
  it('P13 ATTR-05 nothing is kept, and nothing that measures is fetched or sent', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.goto(landing)
    await form(page).waitFor()
    await page.goto('/product/linen-shirt/')
    await form(page).waitFor()
    // What would have to come is told from what has not come yet: the page has been quiet since.
    await page.waitForLoadState('networkidle')
    expect(visitor.fetched()).toEqual([])
    expect(await cookieNames(page, 'sbjs_')).toEqual([])
    expect(await answers(page)).toEqual([])
    const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    expect(stored.filter((key) => /sbjs|attribution|stat|consent/i.test(key))).toEqual([])
    expect(await page.evaluate(() => Reflect.get(window, 'wp_has_consent')('marketing'))).toBe(false)
    expect(await heard(page)).toEqual(['optin'])
    expect(visitor.errors).toEqual([])
  })

  it('ATTR-05 the question moves nothing, takes the focus from nobody, and covers nothing for good', async () => {
    await using visitor = await aMeasured(asking, { size: phone })
    const { page } = visitor
    await page.addInitScript(() => {
      const shifts: number[] = []
      Reflect.set(window, 'shifts', shifts)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/shop/')
    await form(page).waitFor()
    expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([])
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    const { height, bottom } = await form(page).evaluate((one) => one.getBoundingClientRect().toJSON())
    expect(height).toBeLessThan(phone.height / 2)
    expect(bottom).toBeLessThanOrEqual(phone.height)
    const covered = await page.evaluate(() => {
      const faults: string[] = []
      const top = document.querySelector('.bottom-bars')?.getBoundingClientRect().top ?? 0
      for (const one of document.querySelectorAll<HTMLElement>('main a, main button, footer a')) {
        one.focus()
        if (document.activeElement !== one || one.getBoundingClientRect().height === 0) continue
        if (one.getBoundingClientRect().bottom > top + 1) faults.push(one.outerHTML.slice(0, 90))
      }
      return faults
    })
    expect(covered).toEqual([])
    // At the very end of the page the last line of the footer lies above the bar.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const gap = () =>
      page.evaluate(() => {
        const bars = document.querySelector('.bottom-bars')?.getBoundingClientRect().top ?? 0
        return bars - (document.querySelector('#colophon')?.getBoundingClientRect().bottom ?? 0)
      })
    await expect.poll(gap).toBeGreaterThanOrEqual(-1)
  })

  it.each(['light', 'dark'] as const)(
    'ATTR-05 axe finds nothing wrong with the question and its choices, %s',
    async (colorScheme) => {
      await using visitor = await aMeasured(asking, { colorScheme })
      const { page } = visitor
      await page.goto('/shop/')
      await form(page).waitFor()
      expect(await violations(page)).toEqual([])
      await button(page, 'Choose').click()
      expect(await violations(page)).toEqual([])
      const shown = await form(page).getByRole('button').all()
      const looks = await Promise.all(
        shown.map((one) =>
          one.evaluate((element) => {
            const { width, height } = element.getBoundingClientRect()
            const { borderColor, fontWeight, fontSize } = getComputedStyle(element)
            return [Math.round(width), Math.round(height), borderColor, fontWeight, fontSize].join(' ')
          }),
        ),
      )
      // No answer is made easier to see or to press than another.
      expect(shown).toHaveLength(3)
      expect(new Set(looks).size, looks.join('; ')).toBe(1)
    },
  )

  it('ATTR-05 without scripts nothing is asked or kept, and the link leads to what the shop says of privacy', async () => {
    await using visitor = await aMeasured(asking, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto(landing)
    expect(await form(page).isVisible()).toBe(false)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy choices' }).click()
    await page.waitForURL('**/privacy-policy/')
    expect(
      (await page.context().cookies()).map(({ name }) => name).filter((name) => /sbjs|consent/.test(name)),
    ).toEqual([])
  })
})

describe('an answer', () => {
  it('P13 ATTR-05 to accept starts the tracker with the page one is on; to take it back deletes all of it', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.goto(landing)
    await button(page, 'Accept all').click()
    await form(page).waitFor({ state: 'hidden' })
    await expect.poll(() => cookieNames(page, 'sbjs_').then((names) => names.sort())).toEqual(remembered)
    expect((await cookies(page)).sbjs_current).toContain('src=news|||mdm=email')
    expect((await answers(page)).sort()).toEqual(['marketing allow', 'preferences allow', 'statistics allow'])
    // Agreed to as well: this page is counted, from now on.
    await expect.poll(() => visitor.asked.filter((path) => path.endsWith('/stats/hit'))).toHaveLength(1)
    expect(await heard(page)).toEqual([
      'optin',
      { preferences: 'allow' },
      { statistics: 'allow' },
      { marketing: 'allow' },
    ])
    const kept = (await page.context().cookies()).find(({ name }) => name === 'wp_consent_marketing')
    expect(kept).toMatchObject({ path: '/', sameSite: 'Lax', secure: false })
    const days = ((kept?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(Math.round(days)).toBe(180)

    await page.goto('/product/linen-shirt/')
    await page.waitForLoadState('networkidle')
    expect(await form(page).isVisible()).toBe(false)
    // A form of the page holds what is remembered until that is taken back.
    await page.evaluate(() =>
      document.querySelector('main')?.append(document.createElement('wc-order-attribution-inputs')),
    )
    const source = page.locator('input[name=wc_order_attribution_utm_source]')
    await expect.poll(() => source.first().inputValue()).toBe('news')

    // As easy as it was given: one press to the choices, one to take it back.
    await link(page).click()
    await button(page, 'Only necessary').click()
    await expect.poll(() => cookieNames(page, 'sbjs_')).toEqual([])
    await expect.poll(() => source.first().inputValue()).toBe('')
    expect((await answers(page)).sort()).toEqual(['marketing deny', 'preferences deny', 'statistics deny'])
    await page.getByRole('status').filter({ hasText: 'deleted' }).waitFor()
    await page.goto('/shop/?utm_source=again')
    await page.waitForLoadState('networkidle')
    expect(await cookieNames(page, 'sbjs_')).toEqual([])
    expect(await form(page).isVisible()).toBe(false)
    expect(visitor.errors).toEqual([])
  })

  it('ATTR-05 can be given by category with the keyboard alone, and what changed is said once', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.goto('/shop/')
    await form(page).waitFor()
    await page.evaluate(() => {
      const said: string[] = []
      Reflect.set(window, 'said', said)
      for (const region of document.querySelectorAll('[role=status], [aria-live]'))
        new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        })
    })
    await button(page, 'Choose').focus()
    await page.keyboard.press('Enter')
    const box = (name: string) => form(page).getByRole('checkbox', { name })
    expect(await box('Necessary').isDisabled()).toBe(true)
    await expect.poll(() => box('Preferences').evaluate((one) => one === document.activeElement)).toBe(true)
    for (const name of ['Preferences', 'Statistics', 'Marketing']) expect(await box(name).isChecked()).toBe(false)
    // Back to the question, and to the choices once more.
    await page.keyboard.press('Escape')
    expect(await button(page, 'Choose').evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await box('Preferences').isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await expect.poll(() => box('Preferences').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await box('Marketing').isChecked()).toBe(true)
    await button(page, 'Save choices').focus()
    await page.keyboard.press('Enter')
    await form(page).waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect((await answers(page)).sort()).toEqual(['marketing allow', 'preferences deny', 'statistics deny'])
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'said'))).toEqual(['Your choice is saved.'])

    await link(page).focus()
    await page.keyboard.press('Space')
    await expect.poll(() => box('Preferences').evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await box('Marketing').isChecked()).toBe(true)
    // Escape and the cross put it away and change nothing; the focus is where it was.
    await page.keyboard.press('Escape')
    await form(page).waitFor({ state: 'hidden' })
    expect(await link(page).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await button(page, 'Close').click()
    await form(page).waitFor({ state: 'hidden' })
    expect((await answers(page)).sort()).toEqual(['marketing allow', 'preferences deny', 'statistics deny'])
  })

  it('ATTR-05 can be changed in a low window, where the bars stick to nothing', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.setViewportSize({ width: 740, height: 360 })
    await page.goto('/shop/')
    await form(page).waitFor()
    expect(await form(page).evaluate((one) => one.getBoundingClientRect().top > innerHeight)).toBe(true)
    await page.evaluate(() => scrollTo(0, 0))
    await link(page).evaluate((one) => one instanceof HTMLElement && one.click())
    const top = () => form(page).evaluate((one) => Math.round(one.getBoundingClientRect().top))
    await expect.poll(top).toBeLessThan(200)
    expect(
      await form(page)
        .getByRole('checkbox', { name: 'Preferences' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true)
  })

  it('ATTR-05 may come from another script, and is heard in other tabs', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.goto(landing)
    await form(page).waitFor()
    const other = await page.context().newPage()
    await other.goto('/shop/')
    await form(other).waitFor()
    const set = (category: string, value: string) =>
      page.evaluate(([name, answer]) => Reflect.get(window, 'wp_set_consent')(name, answer), [category, value])
    await set('marketing', 'allow')
    await expect.poll(() => cookieNames(page, 'sbjs_').then((names) => names.sort())).toEqual(remembered)
    await form(page).waitFor()
    await set('preferences', 'deny')
    await set('statistics', 'no; path=/elsewhere')
    await form(page).waitFor({ state: 'hidden' })
    await set('x=1; domain=elsewhere', 'allow')
    expect((await answers(page)).sort()).toEqual(['marketing allow', 'preferences deny', 'statistics deny'])

    await other.bringToFront()
    await other.evaluate(() => dispatchEvent(new Event('focus')))
    await form(other).waitFor({ state: 'hidden' })
    expect(await heard(other)).toEqual([
      'optin',
      { preferences: 'deny' },
      { statistics: 'deny' },
      { marketing: 'allow' },
    ])
  })

  it('P13 ATTR-05 that was forged is none', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.context().addCookies(
      ['allow%20', '%E0%A4%A', 'allow'.repeat(700)].map((value, place) => ({
        name: `wp_consent_${['marketing', 'statistics', 'preferences'][place]}`,
        value,
        url: asking.url,
      })),
    )
    await page.goto(landing)
    await page.waitForLoadState('networkidle')
    expect(visitor.fetched()).toEqual([])
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'wp_has_consent')?.('marketing'))).toBe(false)
    expect(visitor.errors).toEqual([])
  })
})

describe('an answer that holds no longer', () => {
  it('P13 ATTR-05 takes along what was kept under it, and is asked for again', async () => {
    await using visitor = await aMeasured(asking)
    const { page } = visitor
    await page.context().addCookies(
      ['sbjs_current', 'sbjs_first', 'sbjs_migrations', 'sbjs_promo'].map((name) => ({
        name,
        value: 'typ%3Dutm%7C%7C%7Csrc%3Dold',
        url: asking.url,
      })),
    )
    await page.goto(landing)
    await form(page).waitFor()
    await expect.poll(() => cookieNames(page, 'sbjs_')).toEqual([])
    expect(visitor.errors).toEqual([])
  })
})

describe('what the browser says for its user', () => {
  it('ATTR-05 is kept to without asking what it answers, until the visitor says otherwise in so many words', async () => {
    await using visitor = await aMeasured(asking, { gpc: true })
    const { page } = visitor
    await page.goto(landing)
    await form(page).getByText('Global Privacy Control').waitFor()
    await button(page, 'Choose').click()
    await form(page).getByRole('checkbox', { name: 'Marketing' }).check()
    expect(visitor.fetched()).toEqual([])
    await button(page, 'Save choices').click()
    await expect.poll(() => cookieNames(page, 'sbjs_').then((names) => names.sort())).toEqual(remembered)
    expect((await answers(page)).sort()).toEqual(['marketing allow', 'preferences deny', 'statistics deny'])
  })

  it('ATTR-05 holds in a shop that asks nobody', async () => {
    await using visitor = await aMeasured(silent, { gpc: true })
    const { page } = visitor
    await page.goto(landing)
    await page.waitForLoadState('networkidle')
    expect(await cookieNames(page, 'sbjs_')).toEqual([])
    expect(visitor.fetched()).toEqual([])
  })
})

describe('a shop that asks nobody', () => {
  it('ATTR-05 remembers at once, and carries nothing of the question', async () => {
    await using visitor = await aMeasured(silent)
    const { page } = visitor
    await page.goto(landing)
    await expect.poll(() => cookieNames(page, 'sbjs_').then((names) => names.sort())).toEqual(remembered)
    expect(await page.locator('#privacy-choices, .privacy-choices-link').count()).toBe(0)
    expect(visitor.asked.filter((path) => /consent.*\.css/.test(path))).toEqual([])
    expect(await page.evaluate(() => 'wp_has_consent' in window)).toBe(false)
  })

  it('ATTR-05 a page that nobody has chosen yet is not counted', async () => {
    await using visitor = await aMeasured(silent)
    const { page } = visitor
    await page.addInitScript(() => {
      let ahead = true
      Object.defineProperty(Document.prototype, 'prerendering', { get: () => ahead })
      document.addEventListener('prerenderingchange', () => {
        ahead = false
      })
    })
    await page.goto(landing)
    await page.waitForLoadState('networkidle')
    expect(visitor.fetched()).toEqual([])
    expect(await cookieNames(page, 'sbjs_')).toEqual([])
    await page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange')))
    await expect.poll(() => cookieNames(page, 'sbjs_').then((names) => names.sort())).toEqual(remembered)
  })
})

describe('a shop that measures nothing', () => {
  it('ATTR-05 loads no script for it', async () => {
    const settings = { attribution: { enabled: false }, statistics: { enabled: false }, consent: { banner: true } }
    await using shop = await aShop({ wallet: false, settings })
    const html = await (await fetch(`${shop.url}/shop/`)).text()
    expect(html).toContain('</html>')
    expect(html).not.toContain(scripts.get('measure.ts'))
    expect(html).not.toContain('privacy-choices')
    expect(await (await fetch(`${silent.url}/shop/`)).text()).toContain(scripts.get('measure.ts'))
  })
})
