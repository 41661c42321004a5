import { gzipSync } from 'node:zlib'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, aVisitor, desktop, phone } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
})

let count = 0
const newEmail = () => {
  count += 1
  return `journey${count}@example.test`
}

/** Opens an account by the form; afterwards the page is the dashboard. */
async function register(page: Page, email: string): Promise<void> {
  await page.goto('/my-account/')
  await page.locator('#reg_email').fill(email)
  await page.locator('#reg_password').fill(goodPassword)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
}

describe('a password field', () => {
  it('PWD-01 shows and hides what is typed, keeps caret and focus, and is a password again when it is sent', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.goto('/my-account/')
    const field = page.locator('#password')
    const toggle = page.locator('.login .show-password-input')
    await field.fill('secret words')
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 3))
    expect(await toggle.getAttribute('aria-label')).toBe('Show password')
    await toggle.click()
    expect(await field.getAttribute('type')).toBe('text')
    expect(await toggle.getAttribute('aria-label')).toBe('Hide password')
    expect(await toggle.getAttribute('aria-pressed')).toBeNull()
    expect(await toggle.getAttribute('class')).toContain('display-password')
    expect(
      await field.evaluate((input: HTMLInputElement) => [document.activeElement === input, input.selectionStart]),
    ).toEqual([true, 3])
    expect(await field.getAttribute('autocomplete')).toBe('current-password')
    expect(await field.evaluate((input: HTMLInputElement) => input.spellcheck)).toBe(false)

    // By keyboard: the next stop after the field.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('show-password-input')
    await page.keyboard.press('Space')
    expect(await field.getAttribute('type')).toBe('password')
    await toggle.click()
    const typeWhenSent = field.evaluate(
      (input: HTMLInputElement) =>
        new Promise((resolve) => {
          input.form?.addEventListener('submit', (event) => {
            event.preventDefault()
            resolve(input.type)
          })
        }),
    )
    await page.getByRole('button', { name: 'Log in' }).click()
    expect(await typeWhenSent).toBe('password')
    expect(visitor.errors).toEqual([])
  })

  it('PWD-01 of an account that is opened at the checkout is shown, hidden and weighed as well', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await putInCart(page, shop, 'MUG')
    await page.goto('/checkout/')
    await page.locator('#createaccount').check()
    const field = page.locator('#account_password')
    await field.fill('password1')
    await page.locator('#password_strength.bad, #password_strength.short').waitFor()
    await field.fill(goodPassword)
    await page.locator('#password_strength:is(.good, .strong)').waitFor()
    await page.locator('.create-account .show-password-input').click()
    expect(await field.getAttribute('type')).toBe('text')
    expect(visitor.errors).toEqual([])
  })

  it.each([
    ['of an account', '/my-account/', '#reg_password'],
    ['of one that is opened at the checkout', '/checkout/', '#account_password'],
  ])(
    'PWD-01 the password %s that is typed before the page’s scripts have come stays, and is weighed',
    async (_, path, selector) => {
      await using visitor = await aVisitor(browser, { baseURL: shop.url })
      const { page } = visitor
      await page.goto(`/?add-to-cart=${await shop.idOf('MUG')}`)
      const held: Route[] = []
      await page.route(/page-scripts/, (route) => void held.push(route))
      await page.goto(path)
      const opened = page.locator('#createaccount')
      if (await opened.isVisible()) await opened.check()
      const field = page.locator(selector)
      await field.pressSequentially('password1')
      await expect.poll(() => held.length).toBeGreaterThan(0)
      for (const route of held) await route.continue()
      await page.locator('#password_strength:is(.bad, .short)').waitFor()
      expect(await field.inputValue()).toBe('password1')
      await page.keyboard.type(goodPassword)
      await page.locator('#password_strength.strong').waitFor()
      expect(await field.inputValue()).toBe(`password1${goodPassword}`)
      expect(visitor.errors).toEqual([])
    },
  )

  it('PWD-01 the estimator is loaded with the first character that is typed, and weighs little', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    const weights: Promise<number>[] = []
    page.on('response', (response) => {
      if (/password-score/.test(response.url())) weights.push(response.body().then((body) => gzipSync(body).length))
    })
    await page.goto('/my-account/')
    const field = page.locator('#reg_password')
    await field.focus()
    await page.keyboard.press('Tab')
    await page.locator('.register .show-password-input').waitFor()
    await page.waitForLoadState('networkidle')
    expect(weights).toEqual([])
    expect(await page.evaluate(() => 'zxcvbn' in window)).toBe(false)
    await field.pressSequentially('p')
    await expect.poll(() => page.evaluate(() => 'zxcvbn' in window)).toBe(true)
    expect(weights).toHaveLength(1)
    expect(await weights[0]).toBeLessThanOrEqual(16 * 1024)
    expect(visitor.errors).toEqual([])
  })

  it('PWD-01 without the estimator the form still works, and the next character asks for it again', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    let lost = 0
    await page.route(/password-score/, (route) => (lost++ < 1 ? route.abort() : route.continue()))
    await page.goto('/my-account/')
    await page.locator('.register .show-password-input').waitFor()
    await page.locator('#reg_password').pressSequentially('l')
    await expect.poll(() => lost).toBeGreaterThan(0)
    expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(false)
    await page.locator('#reg_password').pressSequentially('ove')
    await page.locator('.register #password_strength.short').waitFor()
  })

  it('PWD-01 a new one is weighed while it is typed; too easy a one keeps the form', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.goto('/my-account/')
    const meter = page.locator('.register #password_strength')
    const button = page.getByRole('button', { name: 'Register' })
    await page.locator('#reg_email').fill('lovelace@example.test')
    await page.locator('#reg_password').pressSequentially('lovelace')
    await meter.getByText('Very weak').waitFor()
    expect(await meter.getAttribute('class')).toContain('short')
    expect(await meter.getAttribute('role')).toBe('alert')
    expect(await button.isDisabled()).toBe(true)
    expect(await page.locator('.woocommerce-password-hint').isVisible()).toBe(true)
    await page.locator('#reg_password').fill(goodPassword)
    await meter.getByText('Strong').waitFor()
    expect(await button.isDisabled()).toBe(false)
    expect(await page.locator('.woocommerce-password-hint').isVisible()).toBe(false)
    expect(await page.locator('#reg_password').getAttribute('aria-describedby')).toBe(
      'reg_password_hint password_strength',
    )
    await page.locator('#reg_password').fill('')
    await expect.poll(() => meter.textContent()).toBe('')
    expect(visitor.errors).toEqual([])
  })
})

describe('an account', () => {
  it('is opened, used and left by keyboard alone', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.goto('/my-account/')
    await page.locator('#reg_email').focus()
    await page.keyboard.type(newEmail())
    await page.keyboard.press('Tab')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Hello, / }).waitFor()
    await page.getByRole('link', { name: 'Account details' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#account_first_name').focus()
    await page.keyboard.type('Ida')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Vale')
    await page.keyboard.press('Enter')
    await page.getByText('Account details changed successfully.').waitFor()
    await page.getByRole('link', { name: 'Log out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('works without script, the cart merged at login among it', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url, javaScriptEnabled: false })
    const { page } = visitor
    const email = newEmail()
    await register(page, email)
    await page.goto('/product/plain-mug/')
    await page.getByRole('button', { name: 'Add to cart' }).first().click()
    await page.getByText('has been added to your cart').waitFor()
    await page.goto('/my-account/')
    await page.getByRole('link', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.goto('/cart/')
    expect(await page.locator('.cart_item').count()).toBe(0)
    await page.goto('/my-account/')
    await page.getByLabel('Username or email address').fill(email)
    await page.locator('#password').fill(goodPassword)
    await page.getByLabel('Remember me').check()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: /^Hello, / }).waitFor()
    await page.goto('/cart/')
    expect(await page.locator('.cart_item').count()).toBe(1)
  })

  it('what was wrong is said first, named at its field, and gets the focus', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.goto('/my-account/')
    await page.getByRole('button', { name: 'Log in' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Username is required.' })
    await alert.waitFor()
    expect(await page.locator('#username').getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() =>
        alert.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)),
      )
      .toBe(true)
    expect(visitor.errors).toEqual([])
  })
})

describe.each([
  ['a desktop in light colours', desktop, 'light'],
  ['a phone in dark colours', phone, 'dark'],
] as const)('on %s', (_, size, colorScheme) => {
  it('axe finds nothing on the pages of an account, and nothing is wider than the screen', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url, size })
    const { page } = visitor
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found: Record<string, unknown> = {}
    const judge = async (path: string) => {
      await page.goto(path)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const faults = await violations(page)
      if (wider > 0) faults.push(`${wider} pixels too wide`)
      if (faults.length > 0) found[path] = faults
      if (process.env.SHOTS) {
        const name = `${size.width}-${colorScheme}${path.replace(/\W+/g, '-')}`
        await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
      }
    }
    await judge('/my-account/?password-reset=true')
    await judge('/my-account/lost-password/')
    await judge('/my-account/lost-password/?reset-link-sent=true')
    const email = newEmail()
    await register(page, email)
    await judge('/my-account/')
    await judge('/my-account/orders/')
    await judge('/my-account/edit-address/billing/')
    await shop.db.sql`insert into payment_tokens
      (customer_id, method, environment, token, kind, brand, last4, expires, is_default, created_at)
      select id, 'ppcp', 'sandbox', ${`a ${email}`}, 'card', 'visa', '4242', '2031-04', true, now() from customers where email = ${email}`
    await shop.db.sql`insert into payment_tokens (customer_id, method, environment, token, kind, account, created_at)
      select id, 'ppcp', 'sandbox', ${`b ${email}`}, 'wallet', 'ada@pay.example', now() from customers where email = ${email}`
    await judge('/my-account/payment-methods/')
    await judge('/my-account/downloads/')
    await shop.db.sql`insert into sessions (id, customer_id, state, device, expires_at)
      select ${`another of ${email}`}, id, '{}', 'Firefox/133.0 (Windows NT 10.0)', now() + interval '1 day' from customers where email = ${email}`
    await judge('/my-account/privacy/')
    await shop.db.sql`
      update customers set display_name = 'Ida', billing = ${shop.db.sql.json({ first_name: 'Ida', last_name: 'Vale', address_1: '1 Quay Street', city: 'Oakland', state: 'CA', postcode: '94607', country: 'US' })}
      where email = ${email}`
    for (const status of ['completed', 'processing', 'pending', 'cancelled']) {
      await shop.db.sql`
        with placed as (
          insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
            payment_method, payment_method_title, created_at, updated_at, customer_id)
          select ${`wc_order_${status}`} || id, ${status}, 'journey', ${status} || id, '', 'USD', false, 4350, billing, billing,
            'cod', 'Cash on delivery', now(), now(), id from customers where email = ${email} returning id)
        insert into order_items (order_id, position, type, name, quantity, subtotal, total, facts)
        select id, 0, 'line_item', 'Plain mug', 2, 3660, 3660, '{"choices":[],"attributes":{}}'::jsonb from placed`
    }
    await judge('/my-account/?again')
    await judge('/my-account/orders/?again')
    const [order] = await shop.db
      .sql`select max(orders.id) as id from orders join customers on customers.id = customer_id
      where email = ${email} and status = 'completed'`
    await judge(`/my-account/view-order/${order?.id}/`)
    await judge('/my-account/edit-address/')
    await judge('/my-account/edit-account/')
    expect(found).toEqual({})
    expect(visitor.errors).toEqual([])
  })
})
