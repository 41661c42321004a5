import { describe, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { aCheckoutPage, withAndWithoutJQuery } from '#tests/support/browser-modules/checkout-page.ts'
import { eventually, heard } from '#tests/support/browser-modules/scene.ts'

const { scene, open, orders } = aCheckoutPage()

describe.each(withAndWithoutJQuery)('the checkout, %s', (_, jQuery) => {
  it('an order is sent as the form stands and its answer leads on', async () => {
    const page = await open(jQuery)
    scene.shop.page('/thanks/', '<!doctype html><title>Thanks</title>')
    scene.shop.on(
      'checkout',
      () => `<br>stray {"result":"success","redirect":"${scene.shop.url}/thanks/","order_id":7} noise`,
    )
    await page.locator('#place_order').dblclick()
    await page.waitForURL('**/thanks/')
    expect(orders()).toHaveLength(1)
    expect(orders()[0]?.body.get('billing_first_name')).toBe('Ada')
  })

  it('a refused order shows its messages at the top and at the fields they name, and can be sent again', async () => {
    const page = await open(jQuery)
    const messages =
      '<ul class="woocommerce-error" role="alert"><li data-id="billing_email" data-at-field="Enter a valid email address"><strong>Billing Email</strong> is not valid.</li><li data-id="billing_first_name">Billing First name is too long.</li><li>And more.</li></ul>'
    scene.shop.on('checkout', () => ({ json: { result: 'failure', messages, refresh: false, reload: false } }))
    await page.locator('#place_order').click()
    const group = page.locator('form.checkout > .woocommerce-NoticeGroup-checkout [role=alert]')
    await group.waitFor()
    expect(await group.locator('li').allTextContents()).toEqual([
      'Billing Email is not valid.',
      'Billing First name is too long.',
      'And more.',
    ])
    expect(await group.getByRole('link').first().getAttribute('href')).toBe('#billing_email')
    const atField = (key: string) => page.locator(`#billing_${key}_field .checkout-inline-error-message`).textContent()
    expect(await atField('email')).toBe('Enter a valid email address')
    // A theme's or an extension's message has no text of its own for the field.
    expect(await atField('first_name')).toBe('Billing First name is too long.')
    expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe('billing_email_description')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-error')
    expect((await heard(page)).find(([name]) => name === 'checkout_error')?.[1]).toBe(messages)
    await page.getByLabel('Email').fill('ada@shop.example')
    expect(await page.locator('#billing_email_field .checkout-inline-error-message').count()).toBe(0)
    await page.locator('#place_order').click()
    await eventually(() => orders().length).toBe(2)
  })

  it('F21 an order that is cut off says the shop’s general words', async () => {
    const page = await open(jQuery)
    scene.shop.on('checkout', () => ({ hangUp: true }))
    await page.locator('#place_order').click()
    await eventually(() => page.locator('.woocommerce-NoticeGroup-checkout').textContent()).toBe(
      'Something went wrong. See your orders.',
    )
    expect((await heard(page)).find(([name]) => name === 'checkout_error')?.[1]).toMatch(
      /^<div class="woocommerce-error".*Something went wrong\. See your <a href="\/orders\/">orders<\/a>\.<\/div>$/,
    )
    await eventually(() => page.locator('form.processing').count()).toBe(0)
  })

  it('a listener may veto the order', async () => {
    const page = await open(jQuery)
    await page.evaluate((viaJQuery) => {
      const form = document.querySelector('form.checkout')
      if (viaJQuery) Reflect.get(window, 'jQuery')(form).on('checkout_place_order_cod', () => false)
      else form?.addEventListener('checkout_place_order_cod', (event) => event.preventDefault())
    }, jQuery)
    await page.locator('#place_order').click()
    await settled(page)
    expect(orders()).toEqual([])
  })
})
