import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const exchange = { switcher: { header: true } }
  const settings = { currencies: [{ code: 'EUR', rate: '0.9' }], exchange, languages: [{ tag: 'de' }] }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Field names: what is entered into it. */
const entered = {
  billing_first_name: 'Ida',
  billing_last_name: 'Vale',
  billing_address_1: '1 Quay Street',
  billing_city: 'Oakland',
  billing_postcode: '94607',
  billing_phone: '510 555 0100',
  billing_email: 'ida@example.test',
  order_comments: 'Ring twice',
}

const inputs = (page: Page, name: string) => page.locator(`form.checkout [name="${name}"]`)

async function atCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await settled(page)
}

/** The scripts of the header are there, and the totals have been asked for. */
async function settled(page: Page): Promise<void> {
  await page.mouse.move(200, 200)
  await page.mouse.move(210, 200)
  await page.locator('.currency-switcher--header summary').dispatchEvent('focusin')
  await page.locator('.currency-switcher--header [role=listbox]').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

/** As a browser, a password manager or dictation does: no key is pressed, and none of the fields is left. */
async function autofill(page: Page, events: readonly string[] = ['input', 'change']): Promise<void> {
  await page.evaluate(
    ([fields, types]) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = document.querySelector<HTMLInputElement>(`form.checkout [name="${name}"]`)
        if (!field) throw new Error(`no field ${name}`)
        field.value = value
        for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }))
      }
    },
    [entered, events] as const,
  )
}

const shown = async (page: Page) =>
  Object.fromEntries(
    await Promise.all(Object.keys(entered).map(async (name) => [name, await inputs(page, name).inputValue()] as const)),
  )

async function chooseEuros(page: Page): Promise<void> {
  const switcher = page.locator('.currency-switcher--header')
  await switcher.locator('summary').focus()
  await page.keyboard.press('ArrowDown')
  await switcher.locator('details[open]').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.locator('.currency-switcher--header[data-currencies=EUR]').waitFor({ state: 'attached' })
}

describe('what was entered at the checkout', () => {
  it('CHK-02 what no key was pressed for asks for totals, once the address is whole', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.clock.install()
    await atCheckout(page)
    const asked: URLSearchParams[] = []
    page.on('request', (request) => {
      if (request.url().includes('update_order_review')) asked.push(new URLSearchParams(request.postData() ?? ''))
    })
    await inputs(page, 'billing_postcode').evaluate((it: HTMLInputElement) => {
      it.value = '94607'
      it.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await passTime(page, 2000)
    expect(asked).toEqual([])
    await autofill(page)
    await expect.poll(() => asked.at(-1)?.get('address')).toBe('1 Quay Street')
    await page.waitForLoadState('networkidle')
    const before = asked.length
    // Nothing is another than it was: scripts tell of changes that are none.
    await inputs(page, 'billing_city').dispatchEvent('change')
    await passTime(page, 2000)
    expect(asked).toHaveLength(before)
    await inputs(page, 'billing_postcode').fill('94601')
    await inputs(page, 'billing_postcode').blur()
    await expect.poll(() => asked.at(-1)?.get('postcode')).toBe('94601')
    expect(visitor.errors).toEqual([])
  })

  it('CHK-02 F20 at S4 stays where the page is loaded again or come back to, also by way of the cart, but no secret', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page)
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await page.locator('#account_password').fill('several words in a row')
    await autofill(page)
    // Nothing tells the shop of these before the page is left.
    await inputs(page, 'billing_phone').fill('510 555 0199')
    await inputs(page, 'order_comments').fill('Ring three times')
    const expected = { ...entered, billing_phone: '510 555 0199', order_comments: 'Ring three times' }
    await page.reload()
    await settled(page)
    expect(await shown(page)).toEqual(expected)
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('several words')

    await inputs(page, 'order_comments').fill('')
    await page.reload()
    await settled(page)
    expect(await inputs(page, 'order_comments').inputValue()).toBe('')

    await inputs(page, 'order_comments').fill('Ring four times')
    await page.goto('/cart/')
    await page.goBack()
    await settled(page)
    expect(await inputs(page, 'order_comments').inputValue()).toBe('Ring four times')
    await inputs(page, 'order_comments').fill('Ring five times')
    await page.goto('/cart/')
    await page.getByRole('link', { name: 'Proceed to checkout' }).click()
    await page.waitForURL('**/checkout/')
    await expect.poll(() => shown(page)).toEqual({ ...expected, order_comments: 'Ring five times' })
    expect(visitor.errors).toEqual([])
  })

  it('CHK-02 CUR-01 stays where another currency is chosen, typed or not, with the way to pay', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page)
    await autofill(page, [])
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await page.getByLabel('Create account password').fill(goodPassword)
    await page.getByRole('button', { name: 'Show password' }).last().click()
    const sent = page.waitForRequest(/update_order_review/)
    await chooseEuros(page)
    expect(await shown(page)).toEqual(entered)
    expect(await page.getByRole('radio', { name: 'Cash on delivery' }).isChecked()).toBe(true)
    const body = (await sent).postData() ?? ''
    expect(body).toContain('Quay')
    expect(decodeURIComponent(decodeURIComponent(body))).not.toContain(goodPassword)
    expect(body).not.toContain('password')
    expect(visitor.errors).toEqual([])
  })

  it('CHK-02 stays where another language is chosen, and a tab of its own opens as ever', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page)
    await page.getByRole('checkbox', { name: /Ship to a different address/ }).check()
    await autofill(page)
    await inputs(page, 'shipping_first_name').pressSequentially('Max')
    const german = page.locator('a[hreflang=de]').first()
    await german.evaluate((it) => it.closest('details')?.setAttribute('open', ''))
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      german.evaluate((it) =>
        it.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true })),
      ),
    ])
    await tab.close()
    expect(new URL(page.url()).pathname).toBe('/checkout/')
    await german.evaluate((it: HTMLElement) => it.focus())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/de/**')
    expect(await inputs(page, 'shipping_first_name').inputValue()).toBe('Max')
    expect(await shown(page)).toEqual(entered)
    expect(visitor.errors).toEqual([])
  })

  it('CHK-02 CHK-10 stays where somebody logs in, whose account knows no address', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/my-account/')
    const email = `new-${Date.now()}@example.test`
    await page.locator('#reg_email').fill(email)
    await page.locator('#reg_password').fill(goodPassword)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('link', { name: 'Log out' }).first().waitFor()
    await page.context().clearCookies()

    await atCheckout(page)
    await autofill(page, [])
    await page.getByRole('button', { name: 'Click here to log in' }).click()
    await page.getByLabel('Username or email address').fill(email)
    await page.getByRole('textbox', { name: /^Password/ }).fill(goodPassword)
    const sent = page.waitForRequest(/update_order_review/)
    await page.keyboard.press('Enter')
    expect((await sent).postData()).not.toContain(encodeURIComponent(goodPassword))
    await page.getByRole('button', { name: 'Click here to log in' }).waitFor({ state: 'detached' })
    await inputs(page, 'billing_email').waitFor()
    expect(await shown(page)).toEqual(entered)
    expect(visitor.errors).toEqual([])
  })

  it('CHK-02 the page is left all the same where the shop is slow to keep it', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page)
    await page.route(/update_order_review/, () => {})
    await chooseEuros(page)
    expect(await page.locator('form.checkout').count()).toBe(1)
  })
})
