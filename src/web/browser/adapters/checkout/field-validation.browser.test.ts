import { describe, expect, it } from 'vitest'
import { aCheckoutPage, withAndWithoutJQuery } from '#tests/support/browser-modules/checkout-page.ts'

const { open } = aCheckoutPage()

describe.each(withAndWithoutJQuery)('the checkout, %s', (_, jQuery) => {
  it.each([
    ['billing_first_name', '', 'woocommerce-invalid-required-field'],
    ['billing_email', 'ada@shop', 'woocommerce-invalid-email'],
    ['billing_phone', 'call me', 'woocommerce-invalid-phone'],
  ])('%s holding “%s” is marked when it is left, and no longer while it is changed', async (id, value, fault) => {
    const page = await open(jQuery)
    const field = page.locator(`#${id}`)
    const classes = () => page.locator(`#${id}_field`).getAttribute('class')
    await field.fill(value)
    await field.blur()
    expect(await classes()).toContain(fault)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.pressSequentially('x')
    expect(await classes()).not.toContain('woocommerce-invalid')
    expect(await field.getAttribute('aria-invalid')).toBeNull()
  })

  it('an empty field that is left says what to enter, and describes itself by it', async () => {
    const page = await open(jQuery)
    const field = page.locator('#billing_first_name')
    await page.locator('#billing_first_name_field').evaluate((it) => {
      it.dataset.missing = 'Enter your first name'
    })
    await field.fill('')
    await field.blur()
    const message = page.locator('#billing_first_name_description')
    await message.waitFor()
    expect(await message.textContent()).toBe('Enter your first name')
    expect(await field.getAttribute('aria-describedby')).toBe('billing_first_name_description')
  })
})
