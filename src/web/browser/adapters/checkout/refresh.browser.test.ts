import { describe, expect, it } from 'vitest'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import {
  aCheckoutPage,
  answer,
  checkoutBody,
  checkoutPage,
  withAndWithoutJQuery,
} from '#tests/support/browser-modules/checkout-page.ts'
import { eventually, firedEventNames, listenFromTheStart } from '#tests/support/browser-modules/scene.ts'

const { scene, open, total, reviews } = aCheckoutPage()

describe.each(withAndWithoutJQuery)('the checkout, %s', (_, jQuery) => {
  it('CHK-02 asks for totals on load with what the form holds', async () => {
    await open(jQuery)
    expect(reviews()).toHaveLength(1)
    const { post_data, ...fields } = Object.fromEntries(reviews()[0]?.body ?? [])
    expect(fields).toMatchObject({
      security: 'n-review',
      payment_method: 'cod',
      country: 'US',
      city: 'Springfield',
      postcode: '12345',
      s_city: 'Springfield',
      has_full_address: 'true',
    })
    expect(new URLSearchParams(post_data).get('billing_email')).toBe('ada@shop.test')
    expect(scene.errors).toEqual([])
  })

  it('CHK-02 every question is told of as update_checkout, on load and with the control that asks for it', async () => {
    const { page } = scene
    await listenFromTheStart(page, ['update_checkout', 'updated_checkout'])
    scene.shop.on('update_order_review', () => answer('$11'))
    scene.shop.page('/checkout/', checkoutPage(jQuery))
    await page.goto(`${scene.shop.url}/checkout/`)
    await eventually(() => firedEventNames(page)).toEqual(['update_checkout', 'updated_checkout'])

    await page.locator('[name=ship_to_different_address]').evaluate((box: HTMLInputElement) => box.click())
    await eventually(() => reviews().length).toBe(2)
    const askedBy = () =>
      page.evaluate(() =>
        (Reflect.get(window, 'heard') as [string, { current_target?: HTMLInputElement }?][])
          .filter(([name]) => name === 'update_checkout')
          .map(([, args]) => args?.current_target?.name),
      )
    expect(await askedBy()).toEqual([undefined, 'ship_to_different_address'])

    await page.getByLabel('Postcode').pressSequentially('6')
    await eventually(() => reviews().length).toBe(3)
    expect(await askedBy()).toEqual([undefined, 'ship_to_different_address', undefined])
    await settled(page)
    expect(reviews()).toHaveLength(3)
  })

  it('CHK-02 a change of address asks again, under a white overlay, once no required part is empty', async () => {
    await scene.page.clock.install()
    const page = await open(jQuery)
    await page.getByLabel('City', { exact: true }).fill('')
    await page.getByLabel('Postcode').pressSequentially('6')
    await passTime(page, 1200)
    expect(reviews()).toHaveLength(1)
    let release = () => {}
    scene.shop.on('update_order_review', async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return answer('$12')
    })
    await page.getByLabel('City', { exact: true }).pressSequentially('Oslo')
    await eventually(() =>
      page.locator('#payment > .blockOverlay').evaluate((it: HTMLElement) => [it.style.background, it.style.opacity]),
    ).toEqual(['rgb(255, 255, 255)', '0.6'])
    await eventually(() => reviews().length).toBe(2)
    release()
    await eventually(total).toBe('$12')
    expect(reviews()[1]?.body.get('city')).toBe('Oslo')
    await eventually(() => firedEventNames(page)).toContain('updated_checkout')
  })

  it('CHK-02 the answer leaves the focus where somebody went on to, and gives it back to a control that was replaced', async () => {
    const speeds = `<input type="radio" class="shipping_method" name="shipping_method[0]" id="slow" value="slow" checked>
      <input type="radio" class="shipping_method" name="shipping_method[0]" id="fast" value="fast">`
    const page = await open(
      jQuery,
      checkoutBody.replace(
        '<div id="order_review"',
        `<p class="update_totals_on_change form-row"><select
      id="where" name="where" aria-label="Where"><option>Here</option><option>There</option></select></p>$&`,
      ),
    )
    const focused = () => page.evaluate(() => document.activeElement?.id)
    let release = () => {}
    scene.shop.on('update_order_review', async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return answer(`$12 ${speeds}`)
    })
    await page.getByRole('combobox', { name: 'Where' }).focus()
    await page.getByRole('combobox', { name: 'Where' }).selectOption('There')
    await eventually(() => reviews().length).toBe(2)
    await page.getByLabel('City', { exact: true }).focus()
    release()
    await eventually(total).toContain('$12')
    await eventually(() => page.locator('.blockUI').count()).toBe(0)
    expect(await focused()).toBe('billing_city')

    scene.shop.on('update_order_review', () => answer(`$13 ${speeds}`))
    await page.locator('#fast').check()
    await eventually(total).toContain('$13')
    await eventually(focused).toBe('fast')
  })

  it('CHK-02 only the answer to the last question is shown', async () => {
    const page = await open(jQuery)
    let answerFirst: (() => void) | undefined
    scene.shop.on('update_order_review', async () => {
      if (answerFirst) return answer('$14')
      await new Promise<void>((done) => {
        answerFirst = done
      })
      return answer('$13')
    })
    const ask = () => page.evaluate(() => document.querySelector('form.checkout')?.dispatchEvent(new Event('update')))
    await ask()
    await eventually(() => reviews().length).toBe(2)
    await ask()
    await eventually(total).toBe('$14')
    answerFirst?.()
    await settled(page)
    expect(await total()).toBe('$14')
    await eventually(() => page.locator('.blockUI').count()).toBe(0)
  })

  it('a refresh keeps the ticked terms, the chosen method and what scripts wrote into hidden fields', async () => {
    const page = await open(jQuery)
    await page.getByLabel('Terms').check()
    await page.getByLabel('Wallet').check()
    await page.locator('#ppcp_paypal_order_id').evaluate((it: HTMLInputElement) => {
      it.value = 'ORDER-1'
    })
    scene.shop.on('update_order_review', () => answer('$15', 'New note.'))
    await page.evaluate(() => document.querySelector('form.checkout')?.dispatchEvent(new Event('update')))
    await eventually(total).toBe('$15')
    // The morph code is loaded when it is needed for the first time.
    await eventually(() => page.locator('.payment_box.payment_method_cod').textContent()).toContain('New note.')
    expect(await page.getByLabel('Terms').isChecked()).toBe(true)
    expect(await page.getByLabel('Wallet').isChecked()).toBe(true)
    expect(await page.locator('#ppcp_paypal_order_id').inputValue()).toBe('ORDER-1')
  })
})
