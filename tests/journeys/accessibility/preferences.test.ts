import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { addFromListing, aShopper, cartLink, putInCart } from '../fixtures/shopper.ts'
import { asItWas, enlarge, lost, spread } from './instruments/reflow.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const storeNotice = { enabled: true, text: 'We send parcels on Tuesdays and Fridays.' }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { storeNotice } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const pages = [
  ['home', urls.home()],
  ['listing', urls.shop()],
  ['product', '/product/linen-shirt/'],
  ['cart', urls.cart()],
  ['checkout', urls.checkout()],
  ['account', urls.account()],
  ['terms', urls.page('terms')],
] as const

/** Whatever would move for longer than a thousandth of a second, or scroll smoothly. Runs in the page. */
function moves(): string[] {
  const seconds = (list: string) => Math.max(...list.split(',').map((it) => Number.parseFloat(it)))
  const found = new Set<string>()
  for (const element of document.querySelectorAll('*')) {
    for (const pseudo of ['', '::before', '::after']) {
      const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(element, pseudo)
      const longest = Math.max(seconds(transitionDuration), seconds(animationDuration))
      if (longest > 0.0011) found.add(`${element.localName}.${element.className}${pseudo} takes ${longest} s`)
      if (scrollBehavior === 'smooth') found.add(`${element.localName}.${element.className} scrolls smoothly`)
    }
  }
  return [...found, ...Reflect.get(window, 'animated')]
}

describe('somebody who asked for less motion', () => {
  it('THEME-09 sees nothing move, fade or scroll smoothly', async () => {
    await using visitor = await aShopper(browser, shop, { reducedMotion: 'reduce' })
    const { page } = visitor
    await page.addInitScript(() => {
      const animated: string[] = []
      Object.assign(window, { animated })
      const animate = Element.prototype.animate
      Element.prototype.animate = function (keyframes, options) {
        const duration = typeof options === 'number' ? options : options?.duration
        if (Number(duration) > 1) animated.push(`${this.localName}.${this.className} is animated for ${duration} ms`)
        return animate.call(this, keyframes, options)
      }
    })
    const found: Record<string, string[]> = {}
    const judge = async (name: string) => {
      const faults = await page.evaluate(moves)
      if (faults.length > 0) found[name] = faults
    }
    for (const [name, path] of pages) {
      await page.goto(path)
      await judge(name)
    }
    await page.goto(urls.shop())
    await addFromListing(page, 'Plain mug')
    await cartLink(page, 1).click()
    const drawer = page.getByRole('dialog', { name: 'Cart' })
    await drawer.getByText('Subtotal').waitFor()
    await drawer.getByRole('button', { name: /^Remove Plain mug/ }).click()
    await drawer.getByText('No products in the cart.').waitFor()
    await judge('mini cart')
    await putInCart(page, shop, 'MUG')
    await page.goto(urls.checkout())
    await page.getByRole('button', { name: 'Enter your code' }).click()
    await page.getByPlaceholder('Coupon code').waitFor()
    await judge('checkout opened up')
    expect(found).toEqual({})
  })
})

describe('somebody who needs it larger', () => {
  it('loses nothing at 200 % and 400 %, with letters twice as large, or with more room between them', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto(urls.shop({ 'add-to-cart': await shop.idOf('MUG') }))
    const found: Record<string, string[]> = {}
    const judge = async (name: string) => {
      const faults = await lost(page)
      if (faults.length > 0) found[name] = faults
    }
    for (const [name, path] of pages) {
      await page.goto(path)
      await page.setViewportSize({ width: 640, height: 450 })
      await judge(`${name} at 200 %`)
      await page.setViewportSize({ width: 320, height: 256 })
      await judge(`${name} at 400 %`)
      await standsStill(page, found, `${name} at 400 %`)
      await page.setViewportSize(desktop)
      await spread(page)
      await judge(`${name} with its text spread`)
      await enlarge(page)
      await judge(`${name} with its text twice as large`)
      await asItWas(page)
    }
    expect(found).toEqual({})
  })
})

/** Where a window is low, what stays while the page is scrolled leaves most of it to the page. */
async function standsStill(page: Page, found: Record<string, string[]>, name: string): Promise<void> {
  const covered = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    // Down and a little up again: a header that comes back is there then.
    scrollTo({ top: 900, behavior: 'instant' })
    await frame()
    scrollTo({ top: 850, behavior: 'instant' })
    await frame()
    await frame()
    let rows = 0
    for (let y = 2; y < innerHeight; y += 4) {
      for (let it = document.elementFromPoint(innerWidth / 2, y); it; it = it.parentElement) {
        const { position } = getComputedStyle(it)
        const stuck = position === 'sticky' && Math.abs(it.getBoundingClientRect().top) < 1
        if (position !== 'fixed' && !stuck) continue
        rows += 4
        break
      }
    }
    return rows / innerHeight
  })
  if (covered > 0.4) found[`${name}, scrolled`] = [`${Math.round(covered * 100)} % of the window is covered`]
}

it('help stands in the same place on every page', async () => {
  const feet = new Set<string | undefined>()
  for (const [, path] of pages) {
    const html = await (await fetch(`${shop.url}${path}`)).text()
    feet.add(/<footer.*<\/footer>/s.exec(html)?.[0].replace(/ aria-current="page"/g, ''))
  }
  expect(feet.size).toBe(1)
  expect([...feet][0]).toContain('/contact/')
})

describe('somebody whose machine sets the colours', () => {
  it('sees the edge of every field and button, what is chosen, and where the focus is', async () => {
    await using visitor = await aShopper(browser, shop, { forcedColors: 'active' })
    const { page } = visitor
    await page.goto(urls.shop({ 'add-to-cart': await shop.idOf('MUG') }))
    const found: Record<string, string[]> = {}
    for (const [name, path] of pages) {
      await page.goto(path)
      const faults = await page.evaluate(unseen)
      if (faults.length > 0) found[name] = faults
    }
    expect(found).toEqual({})
  })

  it('sees which entry of a menu is the present one, and no line through the words beside it', async () => {
    await using visitor = await aShopper(browser, shop, { forcedColors: 'active' })
    const { page } = visitor
    await page.goto(urls.account())
    await page.locator('#reg_email').fill('forced@example.test')
    await page.locator('#reg_password').fill(goodPassword)
    await page.getByRole('button', { name: 'Register' }).click()
    const pagesOf = page.getByRole('navigation', { name: 'Account pages' })
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await pagesOf.waitFor()
      expect(await marksIn(pagesOf), `the account at ${size.width}`).toEqual(['Dashboard'])
    }
    await page.setViewportSize(desktop)
    await page.goto(urls.category('kitchen'))
    expect(await marksIn(page.locator('.site-nav'))).toContain('Kitchen')
    expect(await marksIn(page.locator('.site-nav'))).not.toContain('Shop')

    await putInCart(page, shop, 'MUG')
    await page.goto(urls.checkout())
    const info = page.locator('.woocommerce-info').filter({ hasText: 'Have a coupon?' })
    const { padding, border } = await info.evaluate((box) => {
      const { paddingInlineStart, borderInlineStartWidth } = getComputedStyle(box)
      return { padding: paddingInlineStart, border: borderInlineStartWidth }
    })
    expect(border === '0px' || padding !== '0px').toBe(true)
  })
})

/** The entries that have a line at them which is not of the ground's colour. */
async function marksIn(menu: Locator): Promise<string[]> {
  return menu.evaluate((element) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'Canvas'
    const ground = getComputedStyle(probe).color
    probe.remove()
    return [...element.querySelectorAll('a')]
      .filter((link) => {
        const { borderBottomColor, borderBottomWidth, borderLeftColor, borderLeftWidth, ...style } =
          getComputedStyle(link)
        const underlined = style.textDecorationLine !== 'none' && style.textDecorationColor !== ground
        const below = Number.parseFloat(borderBottomWidth) > 0 && borderBottomColor !== ground
        const beside = Number.parseFloat(borderLeftWidth) > 0 && borderLeftColor !== ground
        return link.checkVisibility() && (underlined || below || beside)
      })
      .map((link) => link.textContent ?? '')
  })
}

/** Runs in the page. */
function unseen(): string[] {
  const faults: string[] = []
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const controls = document.querySelectorAll<HTMLElement>(
    '.button, input:not([type=hidden]), select, textarea, .quantity',
  )
  for (const element of [...controls].filter(shown)) {
    // A number between its buttons has the edge of the three; a list that another stands in for is not to be seen.
    if (element.matches('.quantity input') || Math.min(element.offsetWidth, element.offsetHeight) < 2) continue
    const { borderTopWidth, borderTopStyle, appearance, outlineStyle, color } = getComputedStyle(element)
    // A link has a colour of its own there.
    if (element.localName === 'a' && color !== getComputedStyle(document.body).color) continue
    const native = element.matches('input[type=checkbox], input[type=radio]') && appearance !== 'none'
    const edge = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1
    if (!edge && !native && outlineStyle === 'none') faults.push(`no edge: ${element.outerHTML.slice(0, 100)}`)
  }
  for (const icon of [...document.querySelectorAll('svg.icon')].filter(shown)) {
    const { stroke, fill } = getComputedStyle(icon)
    if (stroke === 'none' && fill === 'none') faults.push(`nothing drawn: ${icon.parentElement?.className}`)
  }
  const first = document.querySelector<HTMLElement>('main a[href]')
  first?.focus({ preventScroll: true })
  // Only what the keyboard brought is ringed; a field always is.
  const field = document.querySelector<HTMLElement>('main input:not([type=hidden]), main select')
  if (field && shown(field)) {
    field.focus({ preventScroll: true })
    const { outlineStyle, outlineWidth } = getComputedStyle(field)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1) faults.push('no ring around the focus')
  }
  return faults
}
