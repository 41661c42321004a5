import type { Locator, Page } from 'playwright-core'
import { urls } from '#contract/shared/urls.ts'
import { fillCheckout, placeOrder, putInCart, received } from '../../fixtures/shopper.ts'
import type { Tour, Walk } from './tour.ts'

const alert = (page: Page, text: string | RegExp): Locator => page.getByRole('alert').filter({ hasText: text })
const add = ({ page, shop }: Walk, sku: string) => putInCart(page, shop, sku)

const refusedCoupon = async ({ page }: Walk) => {
  await page.getByPlaceholder('Coupon code').fill('nope')
  await page.getByRole('button', { name: 'Apply coupon' }).click()
  await page.locator('.coupon-error-notice').waitFor()
}

/** The number and the key of the last order that was placed. */
const lastOrder = async ({ shop }: Walk) => {
  const [row] = await shop.db.sql<{ id: number; key: string }[]>`select id, key from orders order by id desc limit 1`
  if (!row) throw new Error('no order was placed')
  return row
}

/** The cart, whatever it says. */
export const cart: Tour = {
  title: 'the cart',
  states: {
    'empty cart': ({ page }) => page.goto(urls.cart()),
    'filled cart': async (walk) => {
      await add(walk, 'MUG')
      await add(walk, 'BOWL')
      await walk.page.goto(urls.cart())
    },
    'cart that refuses': async (walk) => {
      await walk.page.goto(urls.shop({ 'add-to-cart': await walk.shop.idOf('GONE') }))
      await walk.page.goto(urls.cart())
    },
    'calculator open': async ({ page }) => {
      await page.getByRole('button', { name: 'Calculate shipping' }).click()
      await page.getByRole('button', { name: 'Update', exact: true }).waitFor()
    },
    'calculator refuses': async ({ page }) => {
      await page.locator('#calc_shipping_postcode').fill('nothing like it')
      await page.getByRole('button', { name: 'Update', exact: true }).click()
      await alert(page, /postcode/i).waitFor()
    },
    'coupon refused': refusedCoupon,
    'quantity changed': async ({ page }) => {
      await page.getByRole('button', { name: 'Increase quantity of Soup bowl' }).click()
      await page.getByRole('button', { name: 'Update cart' }).click()
      await alert(page, 'Cart updated').waitFor()
    },
    'product removed': async ({ page }) => {
      await page.getByRole('button', { name: /^Remove Soup bowl/ }).click()
      await alert(page, 'removed').waitFor()
    },
    'cart emptied': async ({ page }) => {
      await page.getByRole('button', { name: /^Remove Plain mug/ }).click()
      await page
        .getByText(/cart is (currently )?empty/i)
        .first()
        .waitFor()
    },
  },
}

/** The checkout step by step, and the pages of its order. */
export const checkout: Tour = {
  title: 'the checkout',
  states: {
    'fresh checkout': async (walk) => {
      await add(walk, 'MUG')
      await walk.page.goto(urls.checkout())
      await walk.page.locator('.select2-selection').first().waitFor()
    },
    'log-in open': async ({ page }) => {
      await page.getByRole('button', { name: 'Click here to log in' }).click()
      await page.getByLabel('Username or email address').waitFor()
    },
    'coupon open': async ({ page }) => {
      await page.getByRole('button', { name: 'Enter your code' }).click()
      await page.getByPlaceholder('Coupon code').waitFor()
    },
    'coupon refused': refusedCoupon,
    'account opened, its password weak': async ({ page }) => {
      await page.getByRole('checkbox', { name: 'Create an account?' }).check()
      await page.getByLabel('Create account password').fill('password1')
      await page.locator('#password_strength').waitFor()
    },
    'two addresses': async ({ page }) => {
      await page.getByRole('checkbox', { name: 'Ship to a different address?' }).check()
      await page.locator('#shipping_first_name').waitFor()
    },
    'list of countries': async ({ page }) => {
      await page
        .getByRole('combobox', { name: /^Country/ })
        .first()
        .click()
      await page.getByRole('option').first().waitFor()
    },
    'no such country': async ({ page }) => {
      await page.keyboard.type('zzz')
      await page.getByText('No results found').waitFor()
    },
    'wallet chosen': async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('radio', { name: 'PayPal' }).check()
      // To the middle, so that no bar lies over what is judged.
      await page
        .locator('.wc-ppcp-wallet__place')
        .last()
        .evaluate((place) => place.scrollIntoView({ block: 'center' }))
    },
    'field left wrong': async ({ page }) => {
      await page.locator('#billing_email').fill('nobody@')
      await page.locator('#billing_email').blur()
      await page.locator('#billing_email[aria-invalid="true"]').waitFor()
    },
    'refused checkout': async ({ page }) => {
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await placeOrder(page).click()
      await alert(page, 'First name').waitFor()
    },
    'totals on their way': async ({ page }) => {
      await page.getByRole('checkbox', { name: 'Create an account?' }).uncheck()
      await page.getByRole('checkbox', { name: 'Ship to a different address?' }).uncheck()
      await fillCheckout(page)
      // Held until the tour goes on: a state that is usually over before anybody could look at it.
      await page.route('**/*update_order_review*', () => new Promise(() => {}))
      await page.getByRole('radio', { name: /^Express/ }).check()
      await page.locator('#order_review [aria-busy], #order_review[aria-busy], #payment[aria-busy]').first().waitFor()
    },
    'order received': async ({ page }) => {
      await page.unrouteAll()
      await page.reload()
      await page.locator('.select2-selection').first().waitFor()
      await fillCheckout(page)
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await placeOrder(page).click()
      await received(page)
    },
    'payment failed': async (walk) => {
      const { id, key } = await lastOrder(walk)
      await walk.shop.db.sql`update orders set status = 'failed', payment_state = 'failed', stock_reduced = false,
        created_at = created_at - interval '11 minutes' where id = ${id}`
      await walk.page.goto(urls.orderReceived(id, key))
    },
    'order to pay': async (walk) => {
      const { id, key } = await lastOrder(walk)
      await walk.page.goto(urls.orderPay(id, key))
      await walk.page.getByRole('button', { name: 'Pay for order' }).waitFor()
    },
    'order to pay, refused': async ({ page }) => {
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await page.getByRole('button', { name: 'Pay for order' }).click()
      await alert(page, 'terms and conditions').waitFor()
    },
    'e-mail asked for': async (walk) => {
      const { id, key } = await lastOrder(walk)
      await walk.shop.db.sql`update orders set session_id = 'another' where id = ${id}`
      await walk.page.context().clearCookies()
      await walk.page.goto(urls.orderReceived(id, key))
      await walk.page.getByRole('button', { name: 'Verify' }).waitFor()
    },
    'e-mail refused': async ({ page }) => {
      await page.locator('main #email').fill('other@example.test')
      await page.getByRole('button', { name: 'Verify' }).click()
      await alert(page, 'not the email address').waitFor()
    },
  },
}
