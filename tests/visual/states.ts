import type { Page } from 'playwright-core'
import { fillCheckout, grace } from '../journeys/fixtures/shopper.ts'

/** A page of the demo shop, or a state of one, as somebody sees it. */
export type State = {
  readonly name: string
  readonly path: string
  /** What is done before it is looked at. */
  readonly act?: (page: Page) => Promise<void>
  /** `with-cart` has something in the cart, `customer` is logged in as well. */
  readonly as?: 'stranger' | 'with-cart' | 'customer'
  /** Only windows of these widths have this state. */
  readonly widths?: readonly number[]
  /** Looked at mirrored as well. */
  readonly mirrored?: true
}

export const widths = [360, 768, 1280, 1920] as const

const product = '/product/tidal-vase/'

export const states: readonly State[] = [
  { name: 'home', path: '/', mirrored: true },
  { name: 'shop', path: '/shop/', mirrored: true },
  { name: 'category', path: '/product-category/kitchen/' },
  { name: 'shop-page-2', path: '/shop/page/2/' },
  { name: 'search', path: '/?s=vase&post_type=product' },
  { name: 'search-nothing', path: '/?s=xylophone&post_type=product' },
  { name: 'product', path: product, mirrored: true },
  { name: 'product-chosen', path: `${product}?attribute_pa_color=moss` },
  { name: 'about', path: '/about/' },
  { name: 'terms', path: '/terms/' },
  { name: 'not-found', path: '/no-such-page/' },
  { name: 'menu', path: '/shop/', act: openMenu, widths: [360, 768] },
  { name: 'search-drawer', path: '/shop/', act: openSearch, mirrored: true },
  { name: 'mini-cart', path: '/shop/', act: openMiniCart, as: 'with-cart', mirrored: true },
  { name: 'mini-cart-empty', path: '/shop/', act: openMiniCart },
  { name: 'cart', path: '/cart/', as: 'with-cart', mirrored: true },
  { name: 'cart-empty', path: '/cart/' },
  { name: 'checkout', path: '/checkout/', as: 'with-cart', mirrored: true },
  { name: 'checkout-filled', path: '/checkout/', as: 'with-cart', act: (page) => fillCheckout(page, grace) },
  { name: 'checkout-errors', path: '/checkout/', as: 'with-cart', act: placeEmptyOrder },
  { name: 'order-received', path: '/checkout/', as: 'with-cart', act: order },
  { name: 'log-in', path: '/my-account/' },
  { name: 'lost-password', path: '/my-account/lost-password/' },
  { name: 'account', path: '/my-account/', as: 'customer' },
  { name: 'orders', path: '/my-account/orders/', as: 'customer' },
  { name: 'addresses', path: '/my-account/edit-address/', as: 'customer' },
  { name: 'edit-account', path: '/my-account/edit-account/', as: 'customer' },
  { name: 'payment-methods', path: '/my-account/payment-methods/', as: 'customer' },
]

async function openMenu(page: Page): Promise<void> {
  await page.locator('.menu-toggle').locator('visible=true').first().click()
  await page.locator('#menu-drawer.pop-animated').waitFor()
}

async function openSearch(page: Page): Promise<void> {
  await page.locator('[data-toggle-target="#search-drawer"]').locator('visible=true').first().click()
  await page.locator('#search-drawer.pop-animated').waitFor()
}

async function openMiniCart(page: Page): Promise<void> {
  await page.locator('[data-toggle-target="#mini-cart"]').locator('visible=true').first().click()
  await page.locator('#mini-cart.pop-animated').waitFor()
}

async function placeEmptyOrder(page: Page): Promise<void> {
  // What the same visitor has typed on an earlier look is there.
  await page.locator('#billing_email').fill('')
  await page.locator('#payment_method_cod').check({ force: true })
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.locator('.woocommerce-error').first().waitFor()
}

async function order(page: Page): Promise<void> {
  await fillCheckout(page, grace)
  await page.locator('#payment_method_cod').check({ force: true })
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.waitForURL('**/order-received/**')
}
