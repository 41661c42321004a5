import { describe, expect, it } from 'vitest'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { cartParams, pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import {
  aScene,
  eventually,
  firedEventNames,
  heard,
  listenFor,
  listenFromTheStart,
} from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

const settings = {
  wc_checkout_params: {
    ...cartParams,
    update_order_review_nonce: 'n-review',
    apply_coupon_nonce: 'n-apply',
    remove_coupon_nonce: 'n-remove',
    option_guest_checkout: 'yes',
    checkout_url: '/?wc-ajax=checkout',
    is_checkout: '1',
    i18n_checkout_error: 'Something went wrong. See your <a href="/orders/">orders</a>.',
  },
}

const row = (id: string, classes: string, label: string, value = '') =>
  `<p class="form-row ${classes}" id="${id}_field"><label for="${id}">${label}</label><span class="woocommerce-input-wrapper"><input class="input-text" id="${id}" name="${id}" value="${value}"></span></p>`
const table = (total: string) =>
  `<table class="woocommerce-checkout-review-order-table"><tbody><tr><td class="total">${total}</td></tr></tbody></table>`
const payment = (
  note = '',
) => `<div id="payment" class="woocommerce-checkout-payment"><ul class="wc_payment_methods payment_methods methods">
  <li class="wc_payment_method"><input type="radio" class="input-radio" name="payment_method" id="payment_method_cod" value="cod" checked data-order_button_text="Order now"><label for="payment_method_cod">Cash</label><div class="payment_box payment_method_cod">Pay the courier. ${note}</div></li>
  <li class="wc_payment_method"><input type="radio" class="input-radio" name="payment_method" id="payment_method_ppcp" value="ppcp" data-order_button_text=""><label for="payment_method_ppcp">Wallet</label><div class="payment_box payment_method_ppcp">By wallet</div></li></ul>
  <input type="checkbox" id="terms" name="terms"><label for="terms">Terms</label><input type="hidden" id="ppcp_paypal_order_id" name="ppcp_paypal_order_id" value="">
  <button type="submit" id="place_order" data-value="Place order" value="Place order">Place order</button></div>`
const body = `<a href="#" role="button" class="showcoupon" aria-expanded="false">Have a coupon?</a>
<form class="checkout_coupon" method="post" hidden><p><input class="input-text" id="coupon_code" name="coupon_code" aria-label="Coupon code"></p><button name="apply_coupon" value="1">Apply</button></form>
<form name="checkout" method="post" class="checkout woocommerce-checkout" action="/checkout/">
<div class="woocommerce-billing-fields">${row('billing_first_name', 'validate-required', 'First name', 'Ada')}${row('billing_email', 'validate-required validate-email', 'Email', 'ada@shop.test')}
${row('billing_phone', 'validate-phone', 'Phone')}${row('billing_country', 'address-field', 'Country', 'US')}${row('billing_city', 'address-field validate-required', 'City', 'Springfield')}${row('billing_postcode', 'address-field validate-required', 'Postcode', '12345')}</div>
<h3 id="ship-to-different-address"><label><input type="checkbox" name="ship_to_different_address" value="1"> Elsewhere</label></h3>
<div class="shipping_address">${row('shipping_city', 'address-field validate-required', 'Shipping city')}</div>
<div id="order_review" class="woocommerce-checkout-review-order">${table('$10')}${payment()}</div></form>`
const answer = (total: string, note?: string, more: object = {}) => ({
  json: {
    result: 'success',
    messages: '',
    reload: false,
    fragments: {
      '.woocommerce-checkout-review-order-table': table(total),
      '.woocommerce-checkout-payment': payment(note),
    },
    ...more,
  },
})

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('the checkout, %s', (_, jQuery) => {
  const reviews = () => scene.shop.calls('update_order_review')
  const orders = () => scene.shop.calls('checkout')
  const total = () => scene.page.locator('.woocommerce-checkout-review-order-table .total').textContent()
  const start = async (markup = body) => {
    const { shop, page } = scene
    shop.on('update_order_review', () => answer('$11'))
    shop.page('/checkout/', pageHtml({ body: markup, jQuery, settings, bodyClass: 'woocommerce-checkout' }))
    await page.goto(`${shop.url}/checkout/`)
    await eventually(total).toBe('$11')
    await eventually(() => page.locator('.blockUI').count()).toBe(0)
    await listenFor(page, [
      'updated_checkout',
      'payment_method_selected',
      'checkout_error',
      'applied_coupon_in_checkout',
    ])
    return page
  }

  it('CHK-02 asks for totals on load with what the form holds', async () => {
    await start()
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
    scene.shop.page('/checkout/', pageHtml({ body, jQuery, settings, bodyClass: 'woocommerce-checkout' }))
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
    const page = await start()
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
    const page = await start(
      body.replace(
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
    const page = await start()
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
    const page = await start()
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

  it('one payment box is open at a time, and the button says what the method says', async () => {
    const page = await start()
    const shown = () => page.locator('.payment_box').evaluateAll((all) => all.map((it) => it.checkVisibility()))
    await eventually(shown).toEqual([true, false])
    expect(await page.locator('#place_order').textContent()).toBe('Order now')
    await page.getByLabel('Wallet').check()
    await eventually(shown).toEqual([false, true])
    expect(await page.locator('#place_order').textContent()).toBe('Place order')
    expect(await firedEventNames(page)).toEqual(['payment_method_selected'])
  })

  it('an order is sent as the form stands and its answer leads on', async () => {
    const page = await start()
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
    const page = await start()
    const messages =
      '<ul class="woocommerce-error" role="alert"><li data-id="billing_email"><strong>Billing Email</strong> is not valid.</li><li>And more.</li></ul>'
    scene.shop.on('checkout', () => ({ json: { result: 'failure', messages, refresh: false, reload: false } }))
    await page.locator('#place_order').click()
    const group = page.locator('form.checkout > .woocommerce-NoticeGroup-checkout [role=alert]')
    await group.waitFor()
    expect(await group.locator('li').allTextContents()).toEqual(['Billing Email is not valid.', 'And more.'])
    expect(await group.getByRole('link').getAttribute('href')).toBe('#billing_email')
    expect(await page.locator('#billing_email_field .checkout-inline-error-message').textContent()).toBe(
      'Billing Email is not valid.',
    )
    expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe('billing_email_description')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-error')
    expect((await heard(page)).find(([name]) => name === 'checkout_error')?.[1]).toBe(messages)
    await page.getByLabel('Email').fill('ada@shop.example')
    expect(await page.locator('.checkout-inline-error-message').count()).toBe(0)
    await page.locator('#place_order').click()
    await eventually(() => orders().length).toBe(2)
  })

  it('F21 an order that is cut off says the shop’s general words', async () => {
    const page = await start()
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
    const page = await start()
    await page.evaluate((viaJQuery) => {
      const form = document.querySelector('form.checkout')
      if (viaJQuery) Reflect.get(window, 'jQuery')(form).on('checkout_place_order_cod', () => false)
      else form?.addEventListener('checkout_place_order_cod', (event) => event.preventDefault())
    }, jQuery)
    await page.locator('#place_order').click()
    await settled(page)
    expect(orders()).toEqual([])
  })

  it('§3.2 those who may veto the order get the controller of the checkout', async () => {
    const page = await start()
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
    const page = await start()
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

  it.each([
    ['billing_first_name', '', 'woocommerce-invalid-required-field'],
    ['billing_email', 'ada@shop', 'woocommerce-invalid-email'],
    ['billing_phone', 'call me', 'woocommerce-invalid-phone'],
  ])('%s holding “%s” is marked when it is left, and no longer while it is changed', async (id, value, fault) => {
    const page = await start()
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

  it('the shipping address opens with its box, and then counts', async () => {
    const page = await start()
    expect(await page.getByLabel('Shipping city').isVisible()).toBe(false)
    await page.getByLabel('Elsewhere').check()
    await page.getByLabel('Shipping city').waitFor()
    await eventually(() => reviews().length).toBe(2)
    expect(reviews()[1]?.body.get('s_city')).toBe('')
    expect(reviews()[1]?.body.get('has_full_address')).toBe('false')
  })

  it('a coupon is applied from its own form', async () => {
    const page = await start()
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
    const page = await start()
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
      const page = await start()
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
