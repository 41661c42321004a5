import type { Page } from 'playwright-core'
import { urls } from '#contract/shared/urls.ts'
import { addFromListing, cartLink } from '../../fixtures/shopper.ts'
import type { Tour, Walk } from './tour.ts'

const at =
  (path: string) =>
  ({ page }: Walk) =>
    page.goto(path)

const banner = (page: Page) => page.getByRole('banner')
const cartDrawer = (page: Page) => page.getByRole('dialog', { name: 'Cart' })

/** The pages that belong to nobody, and what can be opened on them. */
export const browsing: Tour = {
  title: 'where one looks around',
  expectedErrors: [/status of (404|500)/],
  states: {
    home: at(urls.home()),
    'menu open': async ({ page, narrow }) => {
      if (!narrow) return false
      await banner(page).locator('[aria-controls=menu-drawer]').click()
      return page.getByRole('link', { name: 'Kitchen' }).filter({ visible: true }).first().waitFor()
    },
    'sub-menu open': async ({ page }) => {
      await page
        .locator('summary, button')
        .and(page.getByLabel(/menu of Kitchen$/))
        .filter({ visible: true })
        .click()
      await page.getByRole('link', { name: 'Cups' }).filter({ visible: true }).first().waitFor()
    },
    'search open': async ({ page }) => {
      await page.goto(urls.home())
      await banner(page).locator('.search-toggle').click()
      await page.locator('#search-drawer .search-field').waitFor()
    },
    'search with suggestions': async ({ page }) => {
      await page.locator('#search-drawer .search-field').pressSequentially('mug')
      await page
        .getByRole('dialog', { name: 'Search' })
        .getByRole('option', { name: /Plain mug/ })
        .waitFor()
    },
    listing: at(urls.shop()),
    'mini cart empty': async ({ page }) => {
      await cartLink(page, 0).click()
      await cartDrawer(page).getByText('No products in the cart.').waitFor()
      await page.keyboard.press('Escape')
      await cartDrawer(page).waitFor({ state: 'hidden' })
      await cartLink(page, 0).click()
      await cartDrawer(page).waitFor()
    },
    'added to the cart': async ({ page }) => {
      await page.goto(urls.shop())
      await addFromListing(page, 'Plain mug')
    },
    'mini cart full': async ({ page }) => {
      await cartLink(page, 1).click()
      await cartDrawer(page).getByText('Subtotal').waitFor()
    },
    'filters open': async ({ page, narrow }) => {
      await page.goto(urls.category('kitchen'))
      if (!narrow) return false
      await page
        .getByRole('button', { name: /^Filter/ })
        .first()
        .click()
      return page.getByRole('button', { name: 'Close filters' }).waitFor()
    },
    category: at(urls.category('kitchen')),
    'filtered listing': at(urls.shop({ min_price: 20, max_price: 30 })),
    search: at(urls.search('bowl')),
    'search without results': at(urls.search('nothing')),
    product: at('/product/plain-mug/'),
    'pictures in full': async ({ page }) => {
      await page.getByRole('link', { name: 'View images in full screen' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Images of Plain mug' }).waitFor()
    },
    'variable product': at('/product/linen-shirt/'),
    'variation asked for': async ({ page, shop }) => {
      await page.goto(`/product/linen-shirt/?add-to-cart=${await shop.idOf('SHIRT')}`)
    },
    'variation chosen': async ({ page }) => {
      await page.goto('/product/linen-shirt/')
      await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
      await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
      await page.getByRole('alert').filter({ hasText: '$44.00' }).waitFor()
    },
    'variation sold out': async ({ page }) => {
      await page.getByRole('combobox', { name: 'Size' }).selectOption('L')
      await page.getByText('Out of stock').first().waitFor()
    },
    'grouped product': at('/product/tea-set/'),
    'external product': at('/product/a-book-elsewhere/'),
    'sold-out product': at('/product/sold-out-vase/'),
    'listing with a success': async ({ page, shop }) => page.goto(urls.shop({ 'add-to-cart': await shop.idOf('MUG') })),
    'listing with an error': async ({ page, shop }) => page.goto(urls.shop({ 'add-to-cart': await shop.idOf('GONE') })),
    terms: at(urls.page('terms')),
    'privacy policy': at(urls.page('privacy-policy')),
    'not found': at('/nowhere/'),
    'broken down': at('/my-account/orders/99999999999999999999/'),
  },
}
