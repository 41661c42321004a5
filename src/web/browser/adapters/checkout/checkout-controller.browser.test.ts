import { describe, expect, it } from 'vitest'
import { aCheckoutPage, answer, withAndWithoutJQuery } from '#tests/support/browser-modules/checkout-page.ts'
import { eventually, firedEventNames } from '#tests/support/browser-modules/scene.ts'

const { scene, open, total, reviews, orders } = aCheckoutPage()

describe.each(withAndWithoutJQuery)('the checkout, %s', (_, jQuery) => {
  it('§3.2 those who may veto the order get the controller of the checkout', async () => {
    const page = await open(jQuery)
    await page.evaluate((viaJQuery) => {
      const form = document.querySelector('form.checkout')
      const told: unknown[] = []
      const tell = (name: string, controller: Record<string, unknown>) => {
        const { $checkout_form: set, $order_review: review, xhr, selectedPaymentMethod } = controller
        const element = (it: unknown) => (viaJQuery ? Reflect.get(it as object, 0) : it)
        const { get_payment_method } = controller as { get_payment_method: () => string }
        told.push([name, element(set) === form, element(review) === document.getElementById('order_review')])
        told.push([xhr, selectedPaymentMethod, get_payment_method.call(controller)])
        Object.assign(window, { told, controller })
      }
      for (const name of ['checkout_place_order', 'checkout_place_order_cod']) {
        const veto = name.endsWith('cod') ? false : undefined
        if (viaJQuery) {
          Reflect.get(
            window,
            'jQuery',
          )(form).on(name, (_: unknown, controller: Record<string, unknown>) => {
            tell(name, controller)
            return veto
          })
        } else {
          form?.addEventListener(name, (event) => {
            tell(name, (event as CustomEvent).detail.args[0])
            if (veto === false) event.preventDefault()
          })
        }
      }
    }, jQuery)
    await page.locator('#place_order').click()
    await eventually(() => page.evaluate(() => Reflect.get(window, 'told'))).toEqual([
      ['checkout_place_order', true, true],
      [false, 'payment_method_cod', 'cod'],
      ['checkout_place_order_cod', true, true],
      [false, 'payment_method_cod', 'cod'],
    ])
    expect(orders()).toEqual([])
  })

  it('§3.2 the controller asks for totals, tells of the question that is under way, and shows an error', async () => {
    const page = await open(jQuery)
    await page.evaluate((viaJQuery) => {
      const form = document.querySelector('form.checkout')
      const keep = (controller: object) => Object.assign(window, { controller })
      if (viaJQuery)
        Reflect.get(
          window,
          'jQuery',
        )(form).on('checkout_place_order', (_: unknown, it: object) => {
          keep(it)
          return false
        })
      else
        form?.addEventListener('checkout_place_order', (event) => {
          keep((event as CustomEvent).detail.args[0])
          event.preventDefault()
        })
    }, jQuery)
    await page.locator('#place_order').click()
    await page.waitForFunction(() => 'controller' in window)
    const held: (() => void)[] = []
    scene.shop.on('update_order_review', async () => {
      await new Promise<void>((done) => held.push(done))
      return answer('$12')
    })
    await page.evaluate(() => Reflect.get(window, 'controller').trigger_update_checkout())
    await eventually(() => reviews().length).toBe(2)
    // A method that takes over aborts the request: nothing may interfere.
    await page.evaluate(() => Reflect.get(window, 'controller').xhr.abort())
    held[0]?.()
    await eventually(() => page.evaluate(() => Reflect.get(window, 'controller').xhr)).toBe(false)
    expect(await total()).toBe('$11')
    await eventually(() => page.locator('.blockUI').count()).toBe(0)

    scene.shop.on('update_order_review', () => answer('$13'))
    await page.evaluate(() => Reflect.get(window, 'controller').update_checkout())
    await eventually(total).toBe('$13')

    await page.evaluate(() =>
      Reflect.get(window, 'controller').submit_error('<ul class="woocommerce-error"><li>Card refused.</li></ul>'),
    )
    expect(await page.locator('.woocommerce-NoticeGroup-checkout [role=alert]').innerText()).toContain('Card refused.')
    expect((await firedEventNames(page)).includes('checkout_error')).toBe(true)
    expect(scene.errors).toEqual([])
  })
})
