import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser, aVisitor, desktop, phone, type VisitorOptions } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { LongText, type Look, type Themed, themedShop } from './fixtures/themed.tsx'

let browser: Browser
let shop: Themed
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), themedShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** A visitor on a page of that look, whose movement has brought the frame's scripts. */
async function visit(look: Look, options: VisitorOptions & { at?: string } = {}) {
  shop.page('/page/', look)
  const visitor = await aVisitor(browser, { baseURL: shop.url, ...options })
  await visitor.page.goto(`/page/${options.at ?? ''}`)
  if (options.javaScriptEnabled !== false) await wake(visitor.page)
  return visitor
}

async function wake(page: Page): Promise<void> {
  await page.waitForSelector('body.woocommerce-js')
  await page.mouse.move(3, 300)
  await page.mouse.move(4, 301)
  await page.waitForSelector('.site-header[data-state]')
}

/** Scrolls there at once, and lets the scripts see it. */
const scrollTo = (page: Page, top: number) =>
  page.evaluate(async (top) => {
    window.scrollTo({ top, behavior: 'instant' })
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next))
  }, top)

const look = (page: Page) =>
  page.evaluate(() => {
    const header = document.querySelector<HTMLElement>('.site-header')
    const box = header?.getBoundingClientRect()
    return {
      state: header?.dataset.state,
      classes: ['item-is-fixed', 'item-at-start', 'item-is-stuck', 'item-hidden-above'].filter((name) =>
        header?.classList.contains(name),
      ),
      body: ['header-is-fixed', 'child-is-fixed'].filter((name) => document.body.classList.contains(name)),
      top: Math.round(box?.top ?? -1),
      bottom: Math.round(box?.bottom ?? -1),
      headerH: getComputedStyle(document.documentElement).getPropertyValue('--header-h'),
    }
  })

/** Where an element stands once nothing moves any more. */
function restingTop(page: Page, selector: string): Promise<number> {
  return page.evaluate(async (selector) => {
    let before = Number.NaN
    for (let same = 0; same < 6; ) {
      await new Promise((next) => requestAnimationFrame(next))
      const top = Math.round(document.querySelector(selector)?.getBoundingClientRect().top ?? -1)
      same = top === before ? same + 1 : 0
      before = top
    }
    return before
  }, selector)
}

/** Everything that moved by itself, as the browser counts it. */
const shifts = (page: Page) =>
  page.evaluate(async () => {
    const entries: PerformanceEntry[] = []
    new PerformanceObserver((list) =>
      // Not what answers a press, as browsers count it.
      entries.push(...list.getEntries().filter((entry) => !Reflect.get(entry, 'hadRecentInput'))),
    ).observe({
      type: 'layout-shift',
      buffered: true,
    })
    // What is buffered is handed over between two pictures.
    for (let frame = 0; frame < 4; frame += 1) await new Promise((next) => requestAnimationFrame(next))
    return entries.flatMap((entry) => {
      const sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[] = Reflect.get(entry, 'sources')
      return sources.map(({ node, previousRect, currentRect }) =>
        [node?.nodeName, node?.className, JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '),
      )
    })
  })

const headerHeight = (page: Page) =>
  page.evaluate(() =>
    Math.round(Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--header-h'))),
  )

describe('the header', () => {
  it('THEME-01 stays: at the start, stuck below it, with the classes that themes know, and nothing shifts', async () => {
    await using visitor = await visit({ header: { desktop: { sticky: 'fixed' } } })
    const { page } = visitor
    expect(await look(page)).toMatchObject({
      state: 'at-start',
      classes: ['item-is-fixed', 'item-at-start'],
      body: ['header-is-fixed', 'child-is-fixed'],
      top: 0,
    })
    await scrollTo(page, 900)
    expect(await look(page)).toMatchObject({ classes: ['item-is-fixed', 'item-is-stuck'], top: 0 })
    // What is above it is left behind first.
    await page.evaluate(() => document.body.insertAdjacentHTML('afterbegin', '<p>Above</p>'))
    await scrollTo(page, 0)
    await eventually(() => look(page)).toMatchObject({ state: 'static', classes: [], body: [] })
    expect(visitor.errors).toEqual([])
  })

  it('THEME-01 comes back on the way up, for the keyboard and for a cart that was filled; an open menu keeps it', async () => {
    await using visitor = await visit({ header: { desktop: { sticky: 'reveal' } } })
    const { page } = visitor
    const hidden = async () => (await look(page)).classes.includes('item-hidden-above')
    await scrollTo(page, 800)
    await eventually(hidden).toBe(true)
    await eventually(async () => (await look(page)).bottom).toBeLessThanOrEqual(0)
    await scrollTo(page, 700)
    await eventually(hidden).toBe(false)
    await eventually(async () => (await look(page)).top).toBe(0)
    await scrollTo(page, 1200)
    await eventually(hidden).toBe(true)
    await page.keyboard.press('Tab')
    await page.locator('.site-name').focus()
    await eventually(async () => (await look(page)).top).toBe(0)
    const toggle = page.locator('.site-nav .dropdown-nav-toggle').first()
    await toggle.click()
    await eventually(() => toggle.getAttribute('aria-expanded')).toBe('true')
    await scrollTo(page, 1600)
    expect(await hidden()).toBe(false)
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await scrollTo(page, 2000)
    await eventually(hidden).toBe(true)
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('added_to_cart', { detail: { args: [{}] } })))
    await eventually(hidden).toBe(false)
    expect(await shifts(page)).toEqual([])
    expect(visitor.errors).toEqual([])
  })

  it('THEME-01 becomes lower as far as it is told, its box and the page below it staying where they are', async () => {
    await using visitor = await visit({ header: { desktop: { sticky: 'fixed', shrink: true, shrinkHeight: 56 } } })
    const { page } = visitor
    const row = async () => (await look(page)).bottom
    const text = () =>
      page.evaluate(() => Math.round((document.querySelector('main')?.getBoundingClientRect().top ?? 0) + scrollY))
    const [start, below] = [await row(), await text()]
    expect(start).toBeGreaterThan(70)
    await scrollTo(page, 10)
    expect(await row()).toBe(start - 10)
    await scrollTo(page, 500)
    expect(await row()).toBe(57)
    // In the middle of what is left of it, and no larger.
    const name = await page.locator('.site-name').boundingBox()
    expect(Math.abs((name?.y ?? 0) + (name?.height ?? 0) / 2 - 28)).toBeLessThan(1.5)
    expect(await text()).toBe(below)
    expect((await look(page)).headerH).toBe('57px')
    expect(
      await page.locator('.site-header').evaluate(({ dataset }) => [dataset.shrink, dataset.shrinkHeight]),
    ).toEqual(['true', '56'])
    await scrollTo(page, 0)
    expect(await row()).toBe(start)
    expect(await shifts(page)).toEqual([])
  })

  it('THEME-01 THEME-02 goes by the kind of screen that the settings draw the line for, and not where there is no height', async () => {
    await using visitor = await visit({ header: { desktop: { sticky: 'none' }, mobile: { sticky: 'fixed' } } })
    const { page } = visitor
    await scrollTo(page, 600)
    expect(await look(page)).toMatchObject({ state: 'static', classes: [], headerH: '0px' })
    expect((await look(page)).bottom).toBeLessThan(0)
    await page.setViewportSize({ width: 1023, height: 800 })
    await eventually(() => look(page)).toMatchObject({ state: 'stuck', top: 0 })
    await page.setViewportSize({ width: 1023, height: 480 })
    await eventually(() => look(page)).toMatchObject({ state: 'static', headerH: '0px' })
  })

  it('THEME-02 stays clear of the bar of the merchant: 32 px on wide screens, 46 on others', async () => {
    await using visitor = await visit({
      header: { desktop: { sticky: 'fixed' }, mobile: { sticky: 'fixed' } },
      frame: { bodyClasses: ['admin-bar'] },
    })
    const { page } = visitor
    await scrollTo(page, 600)
    expect((await look(page)).top).toBe(32)
    await page.setViewportSize({ width: 800, height: 700 })
    await eventually(async () => (await look(page)).top).toBe(46)
    await page.locator('#part-9').evaluate((heading) => heading.scrollIntoView({ behavior: 'instant' }))
    expect(await restingTop(page, '#part-9')).toBe(46 + (await headerHeight(page)) + 12)
  })
})

describe('places within a page', () => {
  const content = (
    <>
      <p>
        <a href="#part-7">Seven</a> <a href="#in-a-fold">Folded</a> <a href="#panel-text">Panel</a>{' '}
        <a href="#part 3">Odd</a> <a href="http://[broken/#part-3">Broken</a> <a href="#nowhere">Nowhere</a>
      </p>
      <LongText />
      <details>
        <summary>More</summary>
        <p id="in-a-fold">Folded away</p>
      </details>
      <button type="button" role="tab" aria-controls="panel">
        Tab
      </button>
      <div id="panel" role="tabpanel" hidden>
        <p id="panel-text">In the panel</p>
      </div>
    </>
  )
  const header = { desktop: { sticky: 'fixed' as const }, scrollOffset: 20 }
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)

  it('THEME-05 are scrolled to smoothly, clear of the header and the room that is set, and have the focus', async () => {
    await using visitor = await visit({ header, content })
    const { page } = visitor
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth')
    await page.getByRole('link', { name: 'Seven' }).click()
    await eventually(() => focused(page)).toBe('part-7')
    expect(await restingTop(page, '#part-7')).toBe((await headerHeight(page)) + 20 + 12)
    expect(new URL(page.url()).hash).toBe('#part-7')
    await page.goBack()
    await scrollTo(page, 0)
    await page.getByRole('link', { name: 'Folded' }).click()
    await page.getByText('Folded away').waitFor()
    await page.evaluate(() => {
      document.querySelector('[role=tab]')?.addEventListener('click', () => {
        const panel = document.querySelector<HTMLElement>('#panel')
        if (panel) panel.hidden = false
      })
    })
    await scrollTo(page, 0)
    await page.getByRole('link', { name: 'Panel' }).click()
    await eventually(() => focused(page)).toBe('panel-text')
    expect(visitor.errors).toEqual([])
  })

  it('THEME-05 leave a visitor who has pressed Tab by then where that led', async () => {
    await using visitor = await visit({ header, content })
    const led = await visitor.page.evaluate(async () => {
      const link = (text: string) => [...document.querySelectorAll('a')].find((it) => it.textContent === text)
      // Without what the browser does by itself, which could as well move the focus.
      document.addEventListener('click', (event) => event.preventDefault())
      link('Seven')?.click()
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }))
      link('Folded')?.focus()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return document.activeElement?.textContent
    })
    expect(led).toBe('Folded')
  })

  it('THEME-05 with other letters are left to the browser and logged; with the class that says so, all are', async () => {
    await using visitor = await visit({ header, content })
    const { page } = visitor
    const warned: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
    await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()))
    await page.getByRole('link', { name: 'Odd' }).click()
    await page.getByRole('link', { name: 'Broken' }).click()
    await page.getByRole('link', { name: 'Nowhere' }).click()
    await eventually(() => warned.filter((text) => text.startsWith('Invalid URL')).length).toBe(2)
    await page.evaluate(() => document.body.classList.add('no-anchor-scroll'))
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
    await page.getByRole('link', { name: 'Seven' }).click()
    expect(await focused(page)).not.toBe('part-7')
  })

  it('THEME-06 THEME-09 that the address names are gone to after 100 ms, at once for whom motion is too much', async () => {
    await using visitor = await visit({ header, content }, { at: '#in-a-fold', reducedMotion: 'reduce' })
    const { page } = visitor
    await eventually(() => focused(page)).toBe('in-a-fold')
    await page.getByText('Folded away').waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
    await page.goto('about:blank')
    await page.goto('/page/#part%203')
    await wake(page)
    expect(await focused(page)).toBe('')
  })

  it('THEME-07 the way back to the top comes after 100 px, and takes the focus along', async () => {
    await using visitor = await visit({ header, content })
    const { page } = visitor
    const link = page.getByRole('link', { name: 'Back to top' })
    await scrollTo(page, 100)
    await eventually(() => link.isVisible()).toBe(false)
    await scrollTo(page, 101)
    await link.waitFor()
    await scrollTo(page, 1500)
    await link.click()
    await eventually(() => page.evaluate(() => scrollY)).toBe(0)
    expect(await focused(page)).toBe('main')
    await eventually(() => link.isVisible()).toBe(false)
  })

  it('THEME-08 a column beside the list stays 20 px below the header', async () => {
    const listing = (
      <div className="listing-body listing-body--filtered">
        <section className="listing-filters" popover="auto">
          Filters
        </section>
        <LongText />
      </div>
    )
    await using visitor = await visit({ header, content: listing, frame: { kind: 'listing' } })
    await scrollTo(visitor.page, 900)
    expect(await restingTop(visitor.page, '.listing-filters')).toBe((await headerHeight(visitor.page)) + 20)
  })
})

it.each([
  ['wide', desktop],
  ['narrow', phone],
] as const)(
  'THEME-01 without scripts the header of a %s window stays, and its menu can be reached',
  async (_, size) => {
    await using visitor = await visit(
      { header: { desktop: { sticky: 'fixed' }, mobile: { sticky: 'fixed' } } },
      { size, javaScriptEnabled: false },
    )
    const { page } = visitor
    if (size === phone) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name: 'Plates' }).waitFor()
      await page.getByRole('button', { name: 'Close menu' }).click()
      await eventually(() => page.getByRole('link', { name: 'Plates' }).count()).toBe(0)
    } else {
      await page.getByRole('link', { name: 'Ceramics' }).hover()
      await page.getByRole('link', { name: 'Tableware' }).hover()
      await page.getByRole('link', { name: 'Plates' }).waitFor()
    }
    await page.getByText('Part 9', { exact: true }).scrollIntoViewIfNeeded()
    expect((await page.locator('.site-header').boundingBox())?.y).toBe(0)
  },
)
