import { describe, expect, it } from 'vitest'
import { aCheckoutPage, withAndWithoutJQuery } from '#tests/support/browser-modules/checkout-page.ts'
import { eventually, firedEventNames } from '#tests/support/browser-modules/scene.ts'

const { scene, open, reviews } = aCheckoutPage()

describe.each(withAndWithoutJQuery)('the checkout, %s', (_, jQuery) => {
  it('one payment box is open at a time, and the button says what the method says', async () => {
    const page = await open(jQuery)
    const shown = () => page.locator('.payment_box').evaluateAll((all) => all.map((it) => it.checkVisibility()))
    await eventually(shown).toEqual([true, false])
    expect(await page.locator('#place_order').textContent()).toBe('Order now')
    await page.getByLabel('Wallet').check()
    await eventually(shown).toEqual([false, true])
    expect(await page.locator('#place_order').textContent()).toBe('Place order')
    expect(await firedEventNames(page)).toEqual(['payment_method_selected'])
  })

  it('the shipping address opens with its box, and then counts', async () => {
    const page = await open(jQuery)
    expect(await page.getByLabel('Shipping city').isVisible()).toBe(false)
    await page.getByLabel('Elsewhere').check()
    await page.getByLabel('Shipping city').waitFor()
    await eventually(() => reviews().length).toBe(2)
    expect(reviews()[1]?.body.get('s_city')).toBe('')
    expect(reviews()[1]?.body.get('has_full_address')).toBe('false')
  })

  it('a coupon is applied from its own form', async () => {
    const page = await open(jQuery)
    scene.shop.on(
      'apply_coupon',
      () => '<div class="woocommerce-message" role="alert">Coupon code applied successfully.</div>',
    )
    const toggle = page.getByRole('button', { name: 'Have a coupon?' })
    await toggle.click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await page.getByLabel('Coupon code').fill('save')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Coupon code applied successfully.').waitFor()
    expect(Object.fromEntries(scene.shop.calls('apply_coupon')[0]?.body ?? [])).toEqual({
      security: 'n-apply',
      coupon_code: 'save',
      billing_email: 'ada@shop.test',
    })
    await eventually(() => reviews().length).toBe(2)
    expect([...(reviews()[1]?.body.keys() ?? [])].some((name) => name.startsWith('shipping_method'))).toBe(false)
    expect(await firedEventNames(page)).toContain('applied_coupon_in_checkout')
    await eventually(() => page.getByLabel('Coupon code').isVisible()).toBe(false)
  })

  it('COUP-01 COUP-03 COUP-04 a refused coupon says so under its field until the field changes', async () => {
    const page = await open(jQuery)
    scene.shop.on(
      'apply_coupon',
      () => '<ul class="woocommerce-error" role="alert"><li>Coupon “nope” does not exist.</li></ul>',
    )
    await page.getByRole('button', { name: 'Have a coupon?' }).click()
    const field = page.getByLabel('Coupon code')
    await field.fill('nope')
    await page.getByRole('button', { name: 'Apply' }).click()
    const error = page.locator('form.checkout_coupon p > span#coupon-error-notice[role=alert]')
    await error.waitFor()
    expect(await error.allTextContents()).toEqual(['Coupon “nope” does not exist.'])
    expect(await field.getAttribute('aria-describedby')).toBe('coupon-error-notice')
    expect(await field.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.locator('.woocommerce-error').count()).toBe(0)
    await field.fill('nopes')
    expect([await error.count(), await field.getAttribute('aria-invalid')]).toEqual([0, null])
  })

  it.each([403, 502])(
    '§1.12: a coupon whose call is answered with %i goes the way of the form without scripts',
    async (status) => {
      const page = await open(jQuery)
      scene.shop.on('apply_coupon', () => ({ status, body: '-1' }))
      await page.getByRole('button', { name: 'Have a coupon?' }).click()
      await page.getByLabel('Coupon code').fill('save')
      const posted = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/checkout/'),
      )
      await page.getByRole('button', { name: 'Apply' }).click()
      expect(Object.fromEntries(new URLSearchParams((await posted).postData() ?? ''))).toEqual({
        coupon_code: 'save',
        apply_coupon: 'Apply coupon',
      })
    },
  )
})
