import { expect, it } from 'vitest'
import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'
import { settled } from '#tests/support/browser/page-time.ts'
import { cartAnswer, socks } from '#tests/support/browser-modules/cart-markup.ts'
import { defaultSettings } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { aFacet, aListing, someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aFrame, aShop } from '#tests/support/shared/page-fixtures.ts'
import { ListingPage } from '../../../pages/catalog/listing-page.tsx'
import { renderDocument } from '../../../pages/shared/render.tsx'

/** A listing that changes in place, as the shop renders it. */
const scene = aScene()

const cards = someCards(6)
const colour = (selected: boolean) =>
  aFacet('Colour', ['Sand', 'Moss'], { selected, url: selected ? '/shop/' : '/shop/?filter_colour=moss' })

function page(title: string, facts: Partial<ListingFacts>): string {
  const frame = aFrame({
    title,
    canonical: `/${title}/`,
    settings: defaultSettings,
    productIds: (facts.products ?? []).map(({ id }) => id),
    assets: { css: ['/wide.css'], script: '/assets/main.js', preload: [] },
  })
  return renderDocument(aShop(), frame, <ListingPage facts={aListing(facts)} />)
}

const all = { facets: [colour(false)], products: cards, total: 30, pageCount: 2, perPage: 24 }
const moss = {
  facets: [colour(true)],
  products: cards.slice(2, 5),
  total: 3,
  pageCount: 1,
  query: { filter_colour: 'moss' },
  chosen: [{ label: 'Moss', url: '/shop/' }],
  clearUrl: '/shop/',
}

/**
 * Serves the shop, its filtered list and its second page, and opens the first. A mark distinguishes a swap from a page
 * load.
 */
async function open(): Promise<void> {
  const { shop } = scene
  // Matches the stylesheet on a wide screen: the drawer is a column.
  const css = '.listing-filters { display: block; position: static }'
  shop.at('/wide.css', () => ({ body: css, headers: { 'Content-Type': 'text/css' } }))
  shop.page('/shop/', ({ path }) => {
    if (path.includes('filter_colour')) return page('Moss', moss)
    return path.includes('orderby=price') ? page('By price', { ...all, sorting: 'price' }) : page('Shop', all)
  })
  shop.page('/shop/page/2/', page('Shop, page 2', { ...all, page: 2, products: someCards(40).slice(30) }))
  await scene.page.goto(`${shop.url}/shop/`)
  await scene.page.waitForSelector('body.woocommerce-js')
  await scene.page.evaluate(() => Object.assign(window, { sameVisit: true }))
}

const sameVisit = () => scene.page.evaluate(() => Reflect.get(window, 'sameVisit') === true)
const names = () => scene.page.locator('ul.products h2').allTextContents()
const focused = () => scene.page.evaluate(() => document.activeElement?.id)
const mossLink = () => scene.page.locator('#filter_colour-moss')

it('LIST-06 a facet narrows the list without a new page: address, title, and everything that told of the old one', async () => {
  await open()
  await mossLink().click()
  await eventually(names).toEqual(cards.slice(2, 5).map(({ name }) => name))
  expect(await sameVisit()).toBe(true)
  expect(scene.page.url()).toBe(`${scene.shop.url}/shop/?filter_colour=moss`)
  expect(await scene.page.title()).toBe('Moss – Fjord & Fern')
  expect(await scene.page.locator('link[rel=canonical]').getAttribute('href')).toBe('/Moss/')
  expect(await scene.page.locator('body').getAttribute('data-product-ids')).toBe('102,103,104')
  expect(await scene.page.locator('.listing').getAttribute('aria-busy')).toBeNull()
  expect(scene.errors).toEqual([])
})

it('LIST-03 the focus stays on the facet, and the count is told by the region that was there', async () => {
  await open()
  await scene.page.evaluate(() => {
    Object.assign(window, { count: document.querySelector('.woocommerce-result-count') })
  })
  await mossLink().focus()
  await scene.page.keyboard.press('Enter')
  await eventually(() => scene.page.locator('.woocommerce-result-count').textContent()).toBe('Showing all 3 results')
  expect(await focused()).toBe('filter_colour-moss')
  expect(await mossLink().getAttribute('aria-current')).toBe('true')
  const same = await scene.page.evaluate(
    () => Reflect.get(window, 'count') === document.querySelector('.woocommerce-result-count[role=status]'),
  )
  expect(same).toBe(true)
})

it('the way back shows what was there, and the way forward what came', async () => {
  await open()
  await mossLink().click()
  await eventually(names).toHaveLength(3)
  await scene.page.goBack()
  await eventually(names).toEqual(cards.map(({ name }) => name))
  expect(await scene.page.title()).toBe('Shop – Fjord & Fern')
  await scene.page.goForward()
  await eventually(names).toHaveLength(3)
  expect(await sameVisit()).toBe(true)
})

it('LIST-02 LIST-06 the way back shows what the address says after the page was loaded anew as well', async () => {
  await open()
  const { page, shop } = scene
  await page.locator('select.orderby').selectOption('price')
  await page.waitForURL('**/shop/?orderby=price*')
  await eventually(() => page.title()).toContain('By price')
  await page.reload()
  await page.waitForSelector('body.woocommerce-js')
  await page.goBack()
  await eventually(() => page.title()).toContain('Shop')
  expect(page.url()).toBe(`${shop.url}/shop/`)
  await eventually(() => page.locator('select.orderby').inputValue()).toBe('menu_order')

  await page.goForward()
  await eventually(() => page.title()).toContain('By price')
  shop.page('/elsewhere/', '<!doctype html><title>Elsewhere</title>')
  await page.goto(`${shop.url}/elsewhere/`)
  await page.goBack()
  await page.waitForSelector('body.woocommerce-js')
  await eventually(() => page.title()).toContain('By price')
  await page.goBack()
  await eventually(() => page.title()).toContain('Shop')
  expect(page.url()).toBe(`${shop.url}/shop/`)
  await eventually(() => page.locator('select.orderby').inputValue()).toBe('menu_order')
})

it('the way back leads to where the visitor was, from another list and from another page', async () => {
  const { page: tab, shop } = scene
  await open()
  shop.page('/product/tidal-carafe-0/', '<!doctype html><title>There</title>')
  await tab.setViewportSize({ width: 1280, height: 300 })
  const link = tab.getByRole('link', { name: 'Next' })
  await link.scrollIntoViewIfNeeded()
  const before = await tab.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(100)
  await link.click()
  await eventually(names).toHaveLength(10)
  await tab.goBack()
  await eventually(names).toHaveLength(6)
  await eventually(() => tab.evaluate(() => scrollY)).toBe(before)
  await tab.goto(`${shop.url}/product/tidal-carafe-0/`)
  await tab.goBack()
  await eventually(names).toHaveLength(6)
  await eventually(() => tab.evaluate(() => Math.round(scrollY))).toBe(Math.round(before))
})

it('LIST-06 another page is read from its top', async () => {
  await open()
  await scene.page.setViewportSize({ width: 1280, height: 400 })
  await scene.page.getByRole('link', { name: 'Next' }).click()
  await scene.page.waitForURL('**/shop/page/2/')
  expect(await sameVisit()).toBe(true)
  expect(await focused()).toBe('results')
  const top = await scene.page.locator('#results').evaluate((results) => results.getBoundingClientRect().top)
  expect(top).toBeGreaterThanOrEqual(-1)
  expect(top).toBeLessThan(400)
})

it('LIST-02 another order comes the same way, and the chosen one stays chosen', async () => {
  await open()
  await scene.page.getByLabel('Shop order').selectOption('price')
  await scene.page.waitForURL('**/shop/?orderby=price&paged=1')
  await eventually(() => scene.page.title()).toBe('By price – Fjord & Fern')
  expect(await sameVisit()).toBe(true)
  expect(await scene.page.getByLabel('Shop order').inputValue()).toBe('price')
  await scene.page.goBack()
  await eventually(() => scene.page.getByLabel('Shop order').inputValue()).toBe('menu_order')
})

it('ADD-01 ADD-07 the buttons of cards that came add, and one that stayed keeps what it said', async () => {
  const { page, shop } = scene
  shop.on('add_to_cart', () => cartAnswer([socks]))
  await open()
  const button = (id: number) => page.locator(`.add_to_cart_button[data-product_id="${id}"]`)
  await button(104).click()
  await page.waitForSelector('.post-104 .added_to_cart')
  await page.getByRole('link', { name: 'Next' }).click()
  await eventually(names).toHaveLength(10)
  await button(132).click()
  await page.waitForSelector('.post-132 .add_to_cart_button.added')
  await page.goBack()
  await eventually(names).toHaveLength(6)
  expect(await page.locator('.add_to_cart_button.added').count()).toBe(0)
  await button(104).click()
  await page.waitForSelector('.post-104 .added_to_cart')
  await mossLink().click()
  await eventually(names).toHaveLength(3)
  expect(await page.locator('.added').count()).toBe(1)
  expect(await page.locator('.post-104 .add_to_cart_button.added').count()).toBe(1)
  expect(shop.calls('add_to_cart').map(({ body }) => body.get('product_id'))).toEqual(['104', '132', '104'])
})

it('the last of several quick choices is the one that stays', async () => {
  const { page: tab, shop } = scene
  await open()
  let first = () => {}
  shop.at('/shop/', async ({ path }) => {
    if (path.includes('orderby')) {
      await new Promise<void>((done) => {
        first = done
      })
      return page('By price', { ...all, sorting: 'price' })
    }
    return page('Moss', moss)
  })
  await tab.getByLabel('Shop order').selectOption('price')
  await mossLink().click()
  await eventually(names).toHaveLength(3)
  first()
  await settled(tab)
  expect(await tab.title()).toBe('Moss – Fjord & Fern')
  expect(tab.url()).toContain('filter_colour=moss')
})

it('what cannot be swapped is visited: an answer that is no listing, a broken script', async () => {
  await open()
  scene.shop.at('/shop/', () => '<!doctype html><title>Elsewhere</title>')
  await mossLink().click()
  await eventually(() => scene.page.title()).toBe('Elsewhere')
  expect(scene.page.url()).toContain('filter_colour=moss')
})

it('without the code for it a link leads to its page', async () => {
  await open()
  scene.shop.breakAssets('listing-swap')
  await mossLink().click()
  await scene.page.waitForURL('**filter_colour=moss')
  await eventually(sameVisit).toBe(false)
  await eventually(names).toHaveLength(3)
})

it('a list that is empty says so aloud', async () => {
  await open()
  scene.shop.at('/shop/', () => page('Nothing', { ...moss, products: [], total: 0 }))
  await mossLink().click()
  await eventually(() => scene.page.locator('.widget_shopping_cart_live_region').textContent()).toBe(
    'No products were found matching your selection.',
  )
  expect(await scene.page.locator('.nothing-found').count()).toBe(1)
})
