import { expect, it } from 'vitest'
import type { SuggestionFacts } from '#shop/catalog/catalog-facts.ts'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { defaultSettings, type Seen } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { aCard, aListing } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aFrame, aShop } from '#tests/support/shared/page-fixtures.ts'
import { ListingPage } from '../../../pages/catalog/listing-page.tsx'
import { renderDocument, renderPart } from '../../../pages/shared/render.tsx'
import { SearchSuggestions } from '../../../parts/catalog/search-suggestions.tsx'

/** The search above the page, as the shop renders it. */
const scene = aScene()

const suggested = (term: string): SuggestionFacts => ({
  term,
  url: `/?s=${term}&post_type=product`,
  total: 9,
  products: [
    aCard({ id: 41, name: 'Tidal carafe', url: '/product/tidal-carafe/' }),
    aCard({ id: 42, name: 'Oak board', url: '/product/oak-board/' }),
  ],
  categories: [{ name: 'Glass', slug: 'glass', url: '/product-category/glass/' }],
})
const answer = (facts: SuggestionFacts) => renderPart(aShop(), <SearchSuggestions facts={facts} />)
const termOf = ({ path }: Seen) => new URL(path, 'http://x').searchParams.get('term') ?? ''

async function open(): Promise<void> {
  const { shop, page } = scene
  const settings = defaultSettings
  const assets = { css: [], script: '/assets/main.js', preload: [] }
  shop.page('/shop/', renderDocument(aShop(), aFrame({ settings, assets }), <ListingPage facts={aListing()} />))
  shop.at('/search-suggestions/', (seen) => answer(suggested(termOf(seen))))
  for (const place of ['/', '/product/oak-board/']) shop.page(place, '<!doctype html><title>There</title>')
  await page.goto(`${shop.url}/shop/`)
  await page.waitForSelector('body.woocommerce-js')
}

const toggle = () => scene.page.getByRole('button', { name: 'Search', exact: true }).first()
const drawer = () => scene.page.getByRole('dialog', { name: 'Search' })
const field = () => drawer().getByRole('combobox', { name: 'Search for:' })
const option = (name: RegExp | string) => drawer().getByRole('option', { name })
const pointedAt = () =>
  field().evaluate((input) => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent)

async function search(term: string): Promise<void> {
  await open()
  await toggle().click()
  await field().pressSequentially(term)
}

it('opens as a modal dialog with the field in focus, and Escape leads back to the button', async () => {
  await open()
  await toggle().click()
  await drawer().waitFor()
  await eventually(() => field().evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await drawer().evaluate((dialog) => dialog.matches(':modal.show-drawer.active'))).toBe(true)
  expect(await scene.page.locator('.search-toggle').getAttribute('aria-expanded')).toBe('true')
  await scene.page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'hidden' })
  expect(await scene.page.evaluate(() => document.activeElement?.className)).toBe('search-toggle')
  expect(await toggle().getAttribute('aria-expanded')).toBe('false')
  expect(scene.errors).toEqual([])
})

it('closes by its button and by a press beside it', async () => {
  await scene.page.clock.install()
  await open()
  await toggle().click()
  await drawer().getByRole('button', { name: 'Close search' }).click()
  await drawer().waitFor({ state: 'hidden' })
  await scene.page.keyboard.press('Space')
  await drawer().waitFor()
  await passTime(scene.page, 300)
  await scene.page.mouse.click(600, 850)
  await drawer().waitFor({ state: 'hidden' })
})

it('quick presses end in one state', async () => {
  await open()
  await toggle().click()
  await field().waitFor()
  for (let press = 0; press < 5; press += 1) {
    await scene.page.keyboard.press('Escape')
    await scene.page.locator('.search-toggle').dispatchEvent('click')
    // A press opens the drawer in its own task: an earlier Escape would close nothing, and the next press would close
    // it.
    await scene.page.locator('.search-toggle[aria-expanded=true]').waitFor({ state: 'attached' })
  }
  const classes = () => drawer().evaluate((dialog) => dialog.className)
  await eventually(classes).toBe('drawer search-drawer show-drawer active pop-animated')
  await passTime(scene.page, 1000)
  expect(await classes()).toBe('drawer search-drawer show-drawer active pop-animated')
  expect(await toggle().count()).toBeGreaterThan(0)
})

it('suggests as one types: one question for a word, a list to choose from, and how much there is told aloud', async () => {
  await search('car')
  await option('Glass').waitFor()
  expect(scene.shop.seen.filter(({ path }) => path.startsWith('/search-suggestions/')).map(termOf)).toEqual(['car'])
  expect(await field().getAttribute('aria-expanded')).toBe('true')
  expect(await field().getAttribute('aria-controls')).toBe('search-suggestions')
  expect(await drawer().getByRole('listbox', { name: 'Suggestions' }).getByRole('option').count()).toBe(4)
  await eventually(() => drawer().getByRole('status').textContent()).toBe('3 suggestions')
  expect(scene.errors).toEqual([])
})

it('is operated by arrows and Enter, the field keeping the focus', async () => {
  await search('car')
  await option('Glass').waitFor()
  const { keyboard } = scene.page
  await keyboard.press('ArrowDown')
  expect(await pointedAt()).toBe('Glass')
  await keyboard.press('ArrowDown')
  expect(await pointedAt()).toContain('Tidal carafe')
  expect(await option(/Tidal carafe/).getAttribute('aria-selected')).toBe('true')
  await keyboard.press('ArrowUp')
  await keyboard.press('ArrowUp')
  expect(await field().getAttribute('aria-activedescendant')).toBeNull()
  await keyboard.press('ArrowUp')
  expect(await pointedAt()).toBe('See all 9 results')
  await keyboard.press('ArrowUp')
  expect(await field().evaluate((input) => input === document.activeElement)).toBe(true)
  await keyboard.press('Enter')
  await scene.page.waitForURL('**/product/oak-board/')
})

it('Enter on the field itself asks for the full answer', async () => {
  await search('car')
  await option('Glass').waitFor()
  await scene.page.keyboard.press('Enter')
  await scene.page.waitForURL('**/?s=car&post_type=product')
})

it('Escape takes the list away first, and the drawer after it', async () => {
  await search('car')
  await option('Glass').waitFor()
  await scene.page.keyboard.press('Escape')
  expect(await option('Glass').count()).toBe(0)
  expect(await field().getAttribute('aria-expanded')).toBe('false')
  expect(await field().inputValue()).toBe('car')
  expect(await drawer().getByRole('link', { name: 'Ceramics' }).count()).toBe(1)
  await scene.page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'hidden' })
})

it('an answer that comes too late is dropped', async () => {
  await open()
  let late: (() => void) | undefined
  scene.shop.at('/search-suggestions/', async (seen) => {
    const term = termOf(seen)
    if (term === 'ca')
      await new Promise<void>((done) => {
        late = done
      })
    return answer({ ...suggested(term), categories: [{ name: `Found for ${term}`, slug: 'x', url: '/x/' }] })
  })
  await toggle().click()
  await field().pressSequentially('ca')
  await eventually(() => typeof late).toBe('function')
  await field().pressSequentially('r')
  await option('Found for car').waitFor()
  late?.()
  await settled(scene.page)
  expect(await option('Found for car').count()).toBe(1)
})

it('a failure is silent, and the field still sends its form', async () => {
  await open()
  scene.shop.at('/search-suggestions/', () => ({ hangUp: true }))
  await toggle().click()
  const failed = scene.page.waitForEvent('requestfailed')
  await field().pressSequentially('car')
  await failed
  await settled(scene.page)
  expect(await field().getAttribute('aria-expanded')).toBe('false')
  await scene.page.keyboard.press('Enter')
  await scene.page.waitForURL('**/?s=car&post_type=product')
})

it('nothing that matches is said, and an emptied field offers the categories again', async () => {
  await open()
  scene.shop.at('/search-suggestions/', (seen) =>
    answer({ ...suggested(termOf(seen)), total: 0, products: [], categories: [] }),
  )
  await toggle().click()
  await field().pressSequentially('zz')
  await drawer().getByText('Nothing matches “zz” so far.').first().waitFor()
  expect(await field().getAttribute('aria-expanded')).toBe('false')
  await field().fill('')
  await drawer().getByRole('link', { name: 'Ceramics' }).waitFor()
})

it('opens beside a cart page too, where the cart does not', async () => {
  const { shop, page } = scene
  const frame = aFrame({
    kind: 'cart',
    settings: defaultSettings,
    assets: { css: [], script: '/assets/main.js', preload: [] },
  })
  shop.page('/cart/', renderDocument(aShop(), frame, <p>Cart</p>))
  await page.goto(`${shop.url}/cart/`)
  await page.waitForSelector('body.woocommerce-js')
  await toggle().click()
  await drawer().waitFor()
  expect(page.url()).toBe(`${shop.url}/cart/`)
})

it('LIST-06 an answer that comes later keeps the suggestion that the visitor has moved to', async () => {
  await search('ta')
  await option(/Tidal carafe/).waitFor()
  await field().press('ArrowDown')
  await field().press('ArrowDown')
  const before = await pointedAt()
  expect(before).toBeTruthy()
  await field().pressSequentially('b')
  await eventually(() => scene.shop.seen.some((seen) => termOf(seen) === 'tab')).toBe(true)
  await eventually(() => option(/“tab”|9/).count()).toBeGreaterThan(0)
  expect(await pointedAt()).toBe(before)
})
