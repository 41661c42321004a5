import { urls } from '#contract/shared/urls.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { fillCheckout, grace, placeOrder, putInCart, received } from '../../fixtures/shopper.ts'
import { cardMethod, chooseCard, faultOf, typeCard } from '../../payments/fixtures/card.ts'
import type { Tour, Walk } from './tour.ts'

const at =
  (path: string) =>
  ({ page }: Walk) =>
    page.goto(path)

const refused = ({ page }: Walk) => page.locator('.woocommerce-error').waitFor()
const emailOf = ({ narrow }: Walk) => `axe-${narrow ? 'narrow' : 'wide'}@example.test`

/** The pages of a customer, the forms refused and done, and the cards that are kept. */
export const account: Tour = {
  title: 'an account, and of its cards (CARD-03, CHK-11)',
  states: {
    'log in and register': async ({ page, shop }) => {
      await shop.db.sql`delete from rate_limits`
      await page.goto(urls.account())
    },
    'log-in refused': async (walk) => {
      await walk.page.getByRole('button', { name: 'Log in' }).click()
      await refused(walk)
    },
    'register refused': async (walk) => {
      await walk.page.goto(urls.account())
      await walk.page.getByRole('button', { name: 'Register' }).click()
      await refused(walk)
    },
    'lost password': at(urls.lostPassword()),
    'lost password refused': async (walk) => {
      await walk.page.getByRole('button', { name: 'Reset password' }).click()
      await refused(walk)
    },
    dashboard: async (walk) => {
      const { page } = walk
      await page.goto(urls.account())
      await page.locator('#reg_email').fill(emailOf(walk))
      await page.locator('#reg_password').fill(goodPassword)
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByRole('heading', { name: /^Hello, / }).waitFor()
    },
    'no orders': at(urls.orders()),
    downloads: at(urls.downloads()),
    'no ways to pay': at(urls.paymentMethods()),
    addresses: at(urls.addresses()),
    'address form': async ({ page }) => {
      await page.goto(urls.editAddress('billing'))
      await page.locator('.select2-selection').first().waitFor()
    },
    'address refused': async (walk) => {
      await walk.page.getByRole('button', { name: 'Save address' }).click()
      await refused(walk)
    },
    'account details': at(urls.editAccount()),
    'account refused': async (walk) => {
      await walk.page.getByRole('button', { name: 'Save changes' }).click()
      await refused(walk)
    },
    'what is held': at(urls.privacy()),
    'wallet to add': at(urls.addPaymentMethod()),
    'card to add': ({ page }) => chooseCard(page),
    'what is kept': async ({ page }) => {
      await typeCard(page)
      await page.getByRole('button', { name: 'Add payment method' }).click()
      await page.waitForURL(/payment-methods/)
    },
    'kept card at the checkout': async ({ page, shop }) => {
      await putInCart(page, shop, 'MUG')
      await page.goto(urls.checkout())
      await page.locator('.select2-selection').first().waitFor()
      await cardMethod(page).check()
      await page.getByRole('radio', { name: /^Visa ending in 1111/ }).waitFor()
    },
    'another card': async (walk) => {
      const { page } = walk
      await fillCheckout(page, { ...grace, email: emailOf(walk) })
      await page.getByRole('radio', { name: 'Use another card' }).check()
      await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    },
    'card that lacks everything': async ({ page }) => {
      await placeOrder(page).click()
      await until(async () => (await faultOf(page, 'cvv')) !== '')
    },
    'customer’s order received': async (walk) => {
      const { page } = walk
      await page.reload()
      await page.locator('.select2-selection').first().waitFor()
      await fillCheckout(page, { ...grace, email: emailOf(walk) })
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await placeOrder(page).click()
      await received(page)
    },
    orders: at(urls.orders()),
    'one order': ({ page }) => page.getByRole('link', { name: /^View/ }).first().click(),
  },
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; !(await holds()); ) {
    if (performance.now() > end) throw new Error('it never came to that')
    await new Promise((done) => setTimeout(done, 50))
  }
}
