import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { translationSettings } from '#contract/translation/language-settings.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, desktop, phone, type VisitorOptions } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { type Look, type Themed, themedShop } from './fixtures/themed.tsx'

let browser: Browser
let shop: Themed
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), themedShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function visit(look: Look = {}, options: VisitorOptions = {}, path = '/page/') {
  shop.page(path, look)
  const visitor = await aVisitor(browser, { baseURL: shop.url, ...options })
  await visitor.page.clock.install()
  await visitor.page.goto(path)
  await visitor.page.waitForSelector('body.woocommerce-js')
  return visitor
}

const toggle = (page: Page, of: string) =>
  page.getByRole('button', { name: `Submenu of ${of}` }).filter({ visible: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true })
const open = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('.site-nav .menu-item--toggled-on > a')].map((a) => a.textContent))
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
/** Milliseconds that whatever moves takes. */
const durations = (page: Page, selector: string) =>
  page.evaluate(
    (selector) =>
      document
        .querySelector(selector)
        ?.getAnimations()
        .map((it) => Number(it.effect?.getTiming().duration)),
    selector,
  )

describe('menus', () => {
  it('THEME-03 THEME-10 a button opens its list in 250 ms, closes those beside it and, closing, those within', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await toggle(page, 'Ceramics').click()
    await eventually(() => open(page)).toEqual(['Ceramics'])
    expect((await durations(page, '.site-nav .toggle-show')) ?? []).not.toContain(0)
    expect(
      await page
        .locator('.site-nav .toggle-show')
        .evaluate((list) => getComputedStyle(list).transitionDuration.split(', ')[0]),
    ).toBe('0.25s')
    await toggle(page, 'Tableware').click()
    await link(page, 'Bowls').waitFor()
    expect(await open(page)).toEqual(['Ceramics', 'Tableware'])
    await page.mouse.move(640, 700)
    // Opened by a press, it does not close because the mouse goes.
    await passTime(page, 1000)
    expect(await open(page)).toEqual(['Ceramics', 'Tableware'])
    await toggle(page, 'Glass').click()
    await eventually(() => open(page)).toEqual(['Glass'])
    expect(await toggle(page, 'Glass').getAttribute('aria-expanded')).toBe('true')
    expect(await toggle(page, 'Ceramics').getAttribute('aria-expanded')).toBe('false')
    await toggle(page, 'Glass').click()
    await eventually(() => open(page)).toEqual([])
    await eventually(() => page.getByRole('link', { name: 'Carafes' }).filter({ visible: true }).count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('THEME-03 stays closed after two quick presses, though the mouse came to rest with the first', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await link(page, 'Glass').hover()
    await link(page, 'Carafes').waitFor()
    await page.mouse.move(640, 700)
    await eventually(() => open(page)).toEqual([])
    await toggle(page, 'Glass').dblclick()
    await passTime(page, 1000)
    expect(await open(page)).toEqual([])
  })

  it('THEME-03 goes by the keyboard: Escape closes one and leads back to its button, leaving it closes it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await toggle(page, 'Ceramics').focus()
    await page.keyboard.press('Enter')
    await link(page, 'Vases').waitFor()
    await toggle(page, 'Tableware').focus()
    await page.keyboard.press('Space')
    await link(page, 'Plates').focus()
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Submenu of Tableware')
    expect(await open(page)).toEqual(['Ceramics'])
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Submenu of Ceramics')
    expect(await open(page)).toEqual([])
    await page.keyboard.press('Enter')
    await link(page, 'Vases').waitFor()
    await link(page, 'Planters').focus()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Glass')
    expect(await open(page)).toEqual([])
  })

  it('THEME-03 opens for a mouse that stays, not for one that crosses, and a press then keeps it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await link(page, 'Ceramics').hover()
    await link(page, 'Vases').waitFor()
    await link(page, 'Vases').hover()
    expect(await open(page)).toEqual(['Ceramics'])
    await page.mouse.move(640, 700)
    await eventually(() => open(page)).toEqual([])
    await link(page, 'Glass').hover()
    await link(page, 'Carafes').waitFor()
    await toggle(page, 'Glass').click()
    expect(await open(page)).toEqual(['Glass'])
    await page.mouse.click(640, 700)
    await eventually(() => open(page)).toEqual([])
  })

  it('THEME-03 a finger follows the link, and opens by the button', async () => {
    shop.page('/page/', {})
    shop.page('/ceramics/', {})
    const context = await browser.newContext({
      viewport: { width: 1100, height: 800 },
      hasTouch: true,
      baseURL: shop.url,
    })
    const page = await context.newPage()
    await page.goto('/page/')
    await page.waitForSelector('body.woocommerce-js')
    await toggle(page, 'Ceramics').tap()
    await eventually(() => open(page)).toEqual(['Ceramics'])
    await link(page, 'Ceramics').tap()
    await page.waitForURL('**/ceramics/')
    await context.close()
  })

  it.each(['ltr', 'rtl'] as const)('THEME-03 opens to the other side where the window ends (%s)', async (dir) => {
    const menu = ['One', 'Two', 'Three'].map((text) => ({
      text: `${text} with a name of some length`,
      url: `/${text}/`,
      children: [{ text: `Below ${text}`, url: `/${text}/1/`, children: [] }],
    }))
    await using visitor = await visit({ menu, shop: { dir, name: 'A' } }, {})
    const { page } = visitor
    await page.setViewportSize({ width: 1024, height: 700 })
    await page.evaluate(() => document.querySelector('.site-nav')?.classList.add('at-the-edge'))
    for (const name of ['One', 'Three']) {
      await toggle(page, `${name} with a name of some length`).click()
      await link(page, `Below ${name}`).waitFor()
      const box = await page.locator('.site-nav .toggle-show').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1024)
    }
  })
})

describe('the menu in its drawer', () => {
  const narrow = { size: phone }
  const drawer = (page: Page) => page.getByRole('dialog', { name: 'Menu' })
  const classes = (page: Page) => drawer(page).evaluate((it) => it.className.replace('drawer menu-drawer', '').trim())

  it('THEME-03 THEME-10 shows the branch one is in, and folds it in 250 ms', async () => {
    await using visitor = await visit({}, narrow, '/bowls/')
    const { page } = visitor
    await page.getByRole('button', { name: 'Menu' }).click()
    await link(page, 'Bowls').waitFor()
    expect(await link(page, 'Bowls').getAttribute('aria-current')).toBe('page')
    const [duration] = await page.evaluate(async () => {
      const list = document.querySelector('.menu-drawer .toggle-show')
      document.querySelector<HTMLElement>('.menu-drawer [aria-label="Submenu of Ceramics"]')?.click()
      for (let frame = 0; frame < 60 && !list?.getAnimations().length; frame += 1) {
        await new Promise((next) => requestAnimationFrame(next))
      }
      return list?.getAnimations().map((it) => it.effect?.getTiming().duration) ?? []
    })
    expect(duration).toBe(250)
    await eventually(() => page.locator('.menu-drawer .toggle-show').count()).toBe(0)
    expect(await drawer(page).locator('.menu-item--toggled-on').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('THEME-04 a link within the page closes it and takes the focus; a wide window has no use for it', async () => {
    const menu = [{ text: 'Part five', url: '/page/#part-5', children: [] }]
    await using visitor = await visit({ menu }, narrow)
    const { page } = visitor
    await page.getByRole('button', { name: 'Menu' }).click()
    await eventually(() => page.locator('body.showing-menu-drawer').count()).toBe(1)
    await eventually(() => classes(page)).toBe('show-drawer active pop-animated')
    await link(page, 'Part five').click()
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('part-5')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(await page.locator('body.showing-menu-drawer').count()).toBe(0)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await page.locator('.menu-toggle').click()
    await drawer(page).waitFor()
    await page.setViewportSize({ width: 1200, height: 800 })
    await eventually(() => page.locator('dialog[open], .show-drawer, .showing-menu-drawer').count()).toBe(0)
  })
})

describe('drawers', () => {
  const cart = (page: Page) => page.locator('#mini-cart')

  it('THEME-04 are shown, active after 10 ms and settled after 250, and go the other way', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.evaluate(() => {
      const said: [string, number][] = []
      Object.assign(window, { said })
      const drawer = document.querySelector('#mini-cart')
      new MutationObserver(() =>
        said.push([drawer?.className.replace(/^drawer ?/, '') ?? '', performance.now()]),
      ).observe(drawer as Element, {
        attributeFilter: ['class'],
      })
      for (const type of ['opened', 'closed'])
        document.addEventListener(type, () => said.push([type, performance.now()]))
    })
    const said = () => page.evaluate(() => Reflect.get(window, 'said') as [string, number][])
    await page.locator('.cart-contents').click()
    await eventually(async () => (await said()).at(-1)?.[0]).toBe('show-drawer active pop-animated')
    await page.keyboard.press('Escape')
    await eventually(async () => (await said()).slice(-2).map(([step]) => step)).toContain('closed')
    const steps = (await said()).filter(([step], place, all) => step !== all[place - 1]?.[0])
    expect(steps.map(([step]) => step).sort()).toEqual(
      [
        '',
        'closed',
        'opened',
        'show-drawer',
        'show-drawer',
        'show-drawer active',
        'show-drawer active pop-animated',
      ].sort(),
    )
    const at = (step: string) => steps.find(([name]) => name === step)?.[1] ?? Number.NaN
    expect(at('show-drawer active') - at('show-drawer')).toBeGreaterThanOrEqual(9)
    expect(at('show-drawer active pop-animated') - at('show-drawer active')).toBeGreaterThanOrEqual(249)
    expect(at('closed') - at('show-drawer active pop-animated')).toBeGreaterThanOrEqual(249)
    expect(visitor.errors).toEqual([])
  })

  it('THEME-04 twenty quick presses end in one state and leave no listeners behind', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toBe('drawer show-drawer active pop-animated')
    const session = await page.context().newCDPSession(page)
    const listeners = async () => {
      const count = async (expression: string) => {
        const { result } = await session.send('Runtime.evaluate', { expression })
        const found = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
        return found.listeners.length
      }
      return [
        await count('document'),
        await count('window'),
        await count('document.body'),
        await count('document.querySelector("#mini-cart")'),
      ]
    }
    const before = await listeners()
    const press = (times: number) =>
      page.evaluate((times) => {
        for (let press = 0; press < times; press += 1) document.querySelector<HTMLElement>('.cart-contents')?.click()
      }, times)
    await press(20)
    await eventually(() => cart(page).getAttribute('class')).toBe('drawer show-drawer active pop-animated')
    expect(await listeners()).toEqual(before)
    await press(21)
    await eventually(() => cart(page).isVisible()).toBe(false)
    expect(await cart(page).getAttribute('class')).toBe('drawer')
    expect(await page.locator('[inert], .showing-cart-drawer, .modal-open, span[tabindex="0"]').count()).toBe(0)
    const closed = await listeners()
    await press(21)
    await eventually(() => cart(page).getAttribute('class')).toBe('drawer show-drawer active pop-animated')
    expect(await listeners()).toEqual(before)
    await press(1)
    await eventually(() => cart(page).isVisible()).toBe(false)
    expect(await listeners()).toEqual(closed)
  })

  it('THEME-04 the cart keeps the focus: at either end it comes in again at the other', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toBe('drawer show-drawer active pop-animated')
    const inside = () => cart(page).evaluate((it) => it.contains(document.activeElement))
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Shift+Tab')
      expect(await inside()).toBe(true)
    }
  })

  it('THEME-04 the veil closes; what is behind rests, does not scroll and does not move', async () => {
    await using visitor = await visit({ shop: { dir: 'rtl' } })
    const { page } = visitor
    const width = () => page.locator('main').evaluate((main) => main.getBoundingClientRect().width)
    const before = await width()
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toContain('pop-animated')
    // From the end of the line, which is to the left here.
    await eventually(async () => (await cart(page).boundingBox())?.x).toBe(0)
    await eventually(width).toBe(before)
    await page.mouse.wheel(0, 600)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await eventually(() => page.locator('main').evaluate((main) => (main as HTMLElement).inert)).toBe(true)
    // What somebody else puts on the page meanwhile can be used.
    await page.evaluate(() => {
      const provider = document.createElement('button')
      provider.textContent = 'Provider'
      provider.style.cssText = 'position: fixed; inset: 0 0 auto auto; z-index: 2147483647'
      provider.addEventListener('click', () => provider.remove())
      document.body.append(provider)
    })
    await page.getByRole('button', { name: 'Provider' }).click()
    expect(await cart(page).isVisible()).toBe(true)
    await page.mouse.click(desktop.width - 20, 500)
    await eventually(() => cart(page).isVisible()).toBe(false)
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('cart-contents')
  })

  it('THEME-04 Tab goes to nothing that lies under the cart, whatever floats there', async () => {
    const switcher = { ...translationSettings.parse({}).switcher, offers: {}, floating: 'bottom-right' as const }
    const languages = [
      { tag: 'en-US', slug: '', name: 'English', dir: 'ltr' as const, published: true },
      { tag: 'de-DE', slug: 'de', name: 'Deutsch', dir: 'ltr' as const, published: true },
    ]
    await using visitor = await visit({ shop: { languages, switcher } })
    const { page } = visitor
    await page.mouse.wheel(0, 900)
    await page.getByRole('link', { name: 'Back to top' }).waitFor()
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toContain('pop-animated')
    for (let stops = 0; stops < 8; stops += 1) {
      await page.keyboard.press('Tab')
      const outside = () => {
        const { activeElement: at, body } = document
        return at === body || at?.closest('#mini-cart') ? null : at?.outerHTML
      }
      expect(await page.evaluate(outside)).toBeNull()
    }
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('[inert]').count()).toBe(0)
  })

  it('THEME-04 Escape closes the one in front', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toContain('pop-animated')
    await page.evaluate(() => document.querySelector<HTMLElement>('.search-toggle')?.click())
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await eventually(() => page.locator('.search-field:focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'hidden' })
    expect(await cart(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await eventually(() => cart(page).isVisible()).toBe(false)
  })

  it('THEME-09 for whom motion is too much nothing moves', async () => {
    await using visitor = await visit({}, { reducedMotion: 'reduce' })
    const { page } = visitor
    const slow = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter((it) => Number(it.effect?.getTiming().duration) > 1)
          .map((it) => it.id || it.constructor.name),
      )
    await page.locator('.cart-contents').click()
    await eventually(() => cart(page).getAttribute('class')).toContain('active')
    expect(await slow()).toEqual([])
    await page.keyboard.press('Escape')
    await toggle(page, 'Ceramics').click()
    await link(page, 'Vases').waitFor()
    expect(await slow()).toEqual([])
  })
})
