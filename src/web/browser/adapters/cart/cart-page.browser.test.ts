import { describe, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { cartAnswer, socks } from '#tests/support/browser-modules/cart-markup.ts'
import { pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually, firedEventNames, listenFor } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

type Cart = { quantity?: number; total?: string; notice?: string; coupon?: string }

function cart({ quantity = 1, total = '$10', notice = '', coupon = '' }: Cart = {}): string {
  return `<div class="woocommerce-notices-wrapper">${notice}</div><div class="woocommerce">
  <form class="woocommerce-cart-form" action="/cart/" method="post">
    <table class="woocommerce-cart-form__contents"><tbody>
      <tr class="cart_item"><td class="product-remove"><a role="button" class="remove" href="/cart/?remove_item=k1&_wpnonce=n" aria-label="Remove Socks">×</a></td>
        <td class="product-quantity"><div class="quantity"><input type="number" class="qty" id="q1" name="cart[k1][qty]" value="${quantity}" min="0" max="9" aria-label="Quantity"></div></td></tr>
      <tr><td class="actions" colspan="6"><div class="coupon"><input id="coupon_code" name="coupon_code" value="" aria-label="Coupon"><button type="submit" name="apply_coupon" value="Apply">Apply coupon</button></div>
        <button type="submit" name="update_cart" value="Update">Update cart</button><input type="hidden" name="woocommerce-cart-nonce" value="n"></td></tr>
    </tbody></table></form>
  <div class="cart-collaterals"><div class="cart_totals"><p class="total">${total}</p>${coupon && `<a role="button" class="woocommerce-remove-coupon" href="/cart/?remove_coupon=${coupon}" data-coupon="${coupon}">Remove coupon</a>`}
    <ul id="shipping_method"><li><input type="radio" class="shipping_method" name="shipping_method[0]" data-index="0" id="sm_flat" value="flat_rate:1" checked><label for="sm_flat">Flat</label></li>
    <li><input type="radio" class="shipping_method" name="shipping_method[0]" data-index="0" id="sm_pick" value="pickup:2"><label for="sm_pick">Pick up</label></li></ul>
    <form class="woocommerce-shipping-calculator" action="/cart/" method="post"><a href="#c" role="button" class="shipping-calculator-button" aria-expanded="false">Calculate</a>
      <section class="shipping-calculator-form" hidden><input name="calc_shipping_postcode" aria-label="Postcode" value=""><button type="submit" name="calc_shipping" value="1">Calculate now</button></section></form>
  </div></div></div>`
}
const success = (text: string) => `<div class="woocommerce-message" role="alert">${text}</div>`
const empty = `<div class="woocommerce-notices-wrapper">${success('“Socks” removed. <a class="restore-item" href="/cart/?undo_item=k1">Undo?</a>')}</div><div class="woocommerce"><div class="wc-empty-cart-message"><div class="cart-empty woocommerce-info">Your cart is currently empty.</div></div></div>`

describe.each([
  ['without jQuery', false],
  ['with jQuery', true],
])('the cart page, %s', (_, jQuery) => {
  const html = (body: string) => pageHtml({ body, jQuery, bodyClass: 'woocommerce-cart' })
  const posts = () => scene.shop.seen.filter((it) => it.method === 'POST' && it.path === '/cart/')
  const start = async (body = cart()) => {
    scene.shop.page('/cart/', html(body))
    await scene.page.goto(`${scene.shop.url}/cart/`)
    await scene.page.waitForSelector('[name=update_cart][disabled]')
    return scene.page
  }
  const total = () => scene.page.locator('.cart_totals .total').textContent()
  const update = () => scene.page.getByRole('button', { name: 'Update cart' })

  it('CART-02 update-cart is off until an item input changes', async () => {
    const page = await start()
    expect(await update().isDisabled()).toBe(true)
    await page.getByLabel('Coupon').fill('SAVE')
    expect(await update().isDisabled()).toBe(true)
    await page.getByLabel('Quantity').fill('2')
    expect(await update().isDisabled()).toBe(false)
  })

  it('CART-03 CART-04 the form goes out with its own method and action and update_cart, and the answer’s parts come in', async () => {
    const page = await start()
    await listenFor(page, ['updated_cart_totals', 'updated_wc_div'])
    let release = () => {}
    scene.shop.at('/cart/', async () => {
      await new Promise<void>((done) => {
        release = done
      })
      return html(cart({ quantity: 3, total: '$30', notice: success('Cart updated.') }))
    })
    await page.getByLabel('Quantity').fill('3')
    await update().click()
    await page.waitForSelector('form.woocommerce-cart-form.processing[aria-busy=true]')
    await page.waitForSelector('.cart_totals.processing[aria-busy=true]')
    await eventually(() => posts().length).toBe(1)
    expect(Object.fromEntries(posts()[0]?.body ?? [])).toMatchObject({
      'cart[k1][qty]': '3',
      'woocommerce-cart-nonce': 'n',
      update_cart: 'Update Cart',
    })
    release()
    await eventually(total).toBe('$30')
    await eventually(() => page.locator('.woocommerce-notices-wrapper').textContent()).toBe('Cart updated.')
    expect(await page.getByLabel('Quantity').inputValue()).toBe('3')
    expect(await update().isDisabled()).toBe(true)
    expect(await firedEventNames(page)).toEqual(['updated_cart_totals', 'updated_wc_div'])
    await eventually(() => page.locator('.processing, .blockUI').count()).toBe(0)
    expect(scene.errors).toEqual([])
  })

  it('NOTE-01 NOTE-03 what is said twice stands once, in place of what was said before', async () => {
    const page = await start(cart({ notice: success('Said before.') }))
    const info = '<div class="woocommerce-info" role="status">Good to know.</div>'
    const error = '<ul class="woocommerce-error" role="alert"><li>Went wrong.</li></ul>'
    const notice = [error, error, success('Done.'), success('Done.'), info, info].join('')
    scene.shop.at('/cart/', () => html(cart({ quantity: 3, notice })))
    await page.getByLabel('Quantity').fill('3')
    await update().click()
    await eventually(() => page.locator('.woocommerce-notices-wrapper > *').allTextContents()).toEqual([
      'Went wrong.',
      'Done.',
      'Good to know.',
    ])
  })

  it('CART-03 what the server says of a quantity wins over what was typed', async () => {
    const page = await start()
    scene.shop.at('/cart/', () => html(cart({ quantity: 1, notice: success('Only one left.') })))
    await page.getByLabel('Quantity').fill('9')
    await update().click()
    await eventually(() => page.getByLabel('Quantity').inputValue()).toBe('1')
  })

  it('CART-05 an answer without a cart form reloads the page', async () => {
    const page = await start()
    scene.shop.at('/cart/', ({ method }) => html(method === 'POST' ? '<p>Something else</p>' : cart({ total: '$77' })))
    await page.getByLabel('Quantity').fill('2')
    await update().click()
    await eventually(total).toBe('$77')
    expect(scene.shop.seen.filter((it) => it.path === '/cart/').map((it) => it.method)).toEqual(['GET', 'POST', 'GET'])
  })

  it('CART-06 CART-07 removing the last item puts the empty cart in its place, and the undo link brings it back', async () => {
    const page = await start()
    await listenFor(page, ['wc_cart_emptied', 'item_removed_from_classic_cart'])
    scene.shop.at('/cart/', ({ path }) => html(path.includes('remove_item') ? empty : cart({ total: '$55' })))
    await page.getByRole('button', { name: 'Remove Socks' }).click()
    await page.getByText('Your cart is currently empty.').waitFor()
    expect(await page.getByText('Undo?').count()).toBe(1)
    expect(await page.locator('.woocommerce-cart-form').count()).toBe(0)
    await eventually(() => firedEventNames(page)).toEqual(['wc_cart_emptied', 'item_removed_from_classic_cart'])
    expect(scene.shop.seen.filter((it) => it.path.includes('remove_item')).map((it) => [it.method, it.path])).toEqual([
      ['GET', '/cart/?remove_item=k1&_wpnonce=n'],
    ])
    await page.getByText('Undo?').click()
    await eventually(total).toBe('$55')
  })

  it('QTY-05 Enter in a quantity updates the cart, not the coupon', async () => {
    const page = await start()
    scene.shop.at('/cart/', () => html(cart({ quantity: 4, total: '$40' })))
    await page.getByLabel('Quantity').fill('4')
    await page.keyboard.press('Enter')
    await eventually(total).toBe('$40')
    expect(posts()[0]?.body.get('update_cart')).toBe('Update Cart')
    expect(scene.shop.calls('apply_coupon')).toEqual([])
  })

  it('QTY-05 Enter in a quantity that the form does not allow sends nothing', async () => {
    const page = await start()
    await page.getByLabel('Quantity').fill('99')
    await page.keyboard.press('Enter')
    await settled(page)
    expect(posts()).toEqual([])
  })

  it('COUP-01 COUP-03 COUP-04 a refused coupon says so under its field until the field changes', async () => {
    const page = await start()
    await listenFor(page, ['applied_coupon'])
    scene.shop.on(
      'apply_coupon',
      () => '<ul class="woocommerce-error" role="alert"><li>Coupon “nope” does not exist.</li></ul>',
    )
    scene.shop.at('/cart/', () => html(cart()))
    await page.getByLabel('Coupon').fill('nope')
    await page.getByRole('button', { name: 'Apply coupon' }).click()
    const field = page.getByLabel('Coupon')
    await eventually(() => posts().length).toBe(1)
    expect(Object.fromEntries(scene.shop.calls('apply_coupon')[0]?.body ?? [])).toEqual({
      security: 'n-apply',
      coupon_code: 'nope',
    })
    await eventually(() => page.locator('.processing').count()).toBe(0)
    const error = page.locator('.coupon > #coupon-error-notice[role=alert]')
    expect(await error.allTextContents()).toEqual(['Coupon “nope” does not exist.'])
    expect(
      await field.evaluate((it: HTMLInputElement) => [
        it.value,
        it.getAttribute('aria-invalid'),
        it.getAttribute('aria-describedby'),
        it.className,
      ]),
    ).toEqual(['nope', 'true', 'coupon-error-notice', 'has-error'])
    expect(await page.locator('.woocommerce-error').count()).toBe(0)
    expect(await firedEventNames(page)).toEqual(['applied_coupon'])
    await field.fill('nopes')
    expect(await error.count()).toBe(0)
    expect(await field.getAttribute('aria-invalid')).toBeNull()
  })

  it('COUP-01 COUP-02 an applied coupon is announced and can be removed', async () => {
    const page = await start()
    scene.shop.on('apply_coupon', () => success('Coupon code applied successfully.'))
    scene.shop.at('/cart/', () => html(cart({ total: '$9', coupon: 'save' })))
    await page.getByLabel('Coupon').fill('save')
    await page.getByLabel('Coupon').press('Enter')
    await eventually(total).toBe('$9')
    expect(await page.locator('.woocommerce-notices-wrapper').textContent()).toBe('Coupon code applied successfully.')

    scene.shop.on('remove_coupon', () => success('Coupon has been removed.'))
    scene.shop.at('/cart/', () => html(cart({ total: '$10' })))
    await eventually(() => page.locator('.processing').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove coupon' }).click()
    await eventually(total).toBe('$10')
    expect(Object.fromEntries(scene.shop.calls('remove_coupon')[0]?.body ?? [])).toEqual({
      security: 'n-remove',
      coupon: 'save',
    })
    expect(await page.locator('.woocommerce-notices-wrapper').textContent()).toBe('Coupon has been removed.')
  })

  it('a shipping method is sent with its package, replaces the totals and keeps the focus', async () => {
    const page = await start()
    await listenFor(page, ['updated_cart_totals', 'updated_shipping_method'])
    scene.shop.on(
      'update_shipping_method',
      () =>
        `<div class="cart_totals"><p class="total">$8</p><input type="radio" name="shipping_method[0]" data-index="0" id="sm_pick" value="pickup:2" checked></div>`,
    )
    await page.getByLabel('Pick up').check()
    await eventually(total).toBe('$8')
    expect(Object.fromEntries(scene.shop.calls('update_shipping_method')[0]?.body ?? [])).toEqual({
      security: 'n-ship',
      'shipping_method[0]': 'pickup:2',
    })
    await eventually(() => firedEventNames(page)).toEqual(['updated_cart_totals', 'updated_shipping_method'])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sm_pick')
  })

  it.each([1, 9])(
    'SHIP-01 F21 a total is shown also where a part of the script was lost on its way, %s times',
    async (times) => {
      const page = await start()
      let lost = 0
      await page.route(/morph/, (route) => {
        lost += 1
        return lost > times ? route.continue() : route.abort()
      })
      scene.shop.on(
        'update_shipping_method',
        () =>
          `<div class="cart_totals"><p class="total">$8</p><input type="radio" name="shipping_method[0]" data-index="0" id="sm_pick" value="pickup:2" checked></div>`,
      )
      await page.getByLabel('Pick up').check()
      await eventually(total).toBe('$8')
      expect(lost).toBe(2)
    },
  )

  it('CART-03 the calculator opens by its link and goes out with calc_shipping', async () => {
    const page = await start()
    const toggle = page.getByRole('button', { name: 'Calculate', exact: true })
    await toggle.press('Space')
    await page.getByLabel('Postcode').waitFor()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    scene.shop.at('/cart/', () => html(cart({ total: '$12' })))
    await page.getByLabel('Postcode').fill('12345')
    await page.getByRole('button', { name: 'Calculate now' }).click()
    await eventually(total).toBe('$12')
    expect(Object.fromEntries(posts()[0]?.body ?? [])).toEqual({ calc_shipping_postcode: '12345', calc_shipping: 'x' })
  })

  it('CART-08 F18 a double click updates once', async () => {
    const page = await start()
    scene.shop.at('/cart/', async () => {
      await new Promise((done) => setTimeout(done, 200))
      return html(cart({ total: '$20' }))
    })
    await page.getByLabel('Quantity').fill('2')
    await update().dblclick()
    await eventually(total).toBe('$20')
    expect(posts()).toHaveLength(1)
  })

  it('F21 an update that is cut off is sent by the browser itself', async () => {
    const page = await start()
    let posted = 0
    scene.shop.at('/cart/', ({ method }) => {
      if (method === 'POST' && posted++ === 0) return { hangUp: true }
      return html(cart({ quantity: 2, total: '$20' }))
    })
    await page.getByLabel('Quantity').fill('2')
    await update().click()
    await eventually(total).toBe('$20')
    expect(posts().map((it) => it.body.get('update_cart'))).toEqual(['Update Cart', 'Update Cart'])
  })

  it('something added beside the cart reposts it', async () => {
    const page = await start(
      `${cart()}<a href="?add-to-cart=7" class="add_to_cart_button ajax_add_to_cart" data-product_id="7" role="button">Add 7</a>`,
    )
    scene.shop.on('add_to_cart', () => cartAnswer([socks]))
    scene.shop.at('/cart/', () => html(cart({ total: '$17' })))
    await page.getByRole('button', { name: 'Add 7' }).click()
    await eventually(total).toBe('$17')
    expect(posts()[0]?.body.has('update_cart')).toBe(false)
  })
})
