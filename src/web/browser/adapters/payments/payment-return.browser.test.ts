import { describe, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { cartParams, pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually, firedEventNames, heard, listenFor } from '#tests/support/browser-modules/scene.ts'

const scene = aScene()

const settings = {
  wc_checkout_params: {
    ...cartParams,
    update_order_review_nonce: 'n-review',
    option_guest_checkout: 'yes',
    checkout_url: '/?wc-ajax=checkout',
    is_checkout: '1',
    i18n_checkout_error: 'Something went wrong.',
  },
}

const method = (id: string, checked = '') =>
  `<li class="wc_payment_method"><input type="radio" class="input-radio" name="payment_method" id="payment_method_${id}" value="${id}" ${checked}><label for="payment_method_${id}">${id}</label><div class="payment_box payment_method_${id}">Box</div></li>`
const payment = (note = '', last = '') =>
  `<div id="payment" class="woocommerce-checkout-payment"><ul class="wc_payment_methods">${method('cod', 'checked')}${method('bank')}</ul>${note}
  <p class="form-row validate-required"><input type="checkbox" id="terms" name="terms"><label for="terms">Terms</label></p>
  <button type="submit" id="place_order" data-value="Place order">Place order</button>${last}</div>`
const body = `<a href="/my-account/" role="button" class="showlogin" aria-controls="log-in" aria-expanded="false">Log in here</a>
<form class="woocommerce-form woocommerce-form-login login" id="log-in" method="post" hidden><input id="username" name="username" aria-label="User name"></form>
<form name="checkout" method="post" class="checkout woocommerce-checkout" action="/checkout/">
<div class="woocommerce-billing-fields"><p class="form-row validate-required" id="billing_first_name_field"><label for="billing_first_name">First name</label><input class="input-text" id="billing_first_name" name="billing_first_name" value="Ada"></p></div>
<input type="hidden" id="ppcp_paypal_order_id" name="ppcp_paypal_order_id" value="ORDER1"><input type="hidden" id="ppcp_billing_token" name="ppcp_billing_token" value="BA1"><input type="hidden" id="ppcp_payment_token" name="ppcp_payment_token" value="T1">
<div id="order_review">${payment()}</div></form>`
const answer = (note = '', last = '') => ({
  json: {
    result: 'success',
    messages: '',
    reload: false,
    fragments: { '.woocommerce-checkout-payment': payment(note, last) },
  },
})

const reviews = () => scene.shop.calls('update_order_review')
const tokens = () =>
  scene.page
    .locator('input[type=hidden][name^=ppcp]')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
const ask = () => scene.page.evaluate(() => document.querySelector('form.checkout')?.dispatchEvent(new Event('update')))

async function start(hash = '') {
  const { shop, page } = scene
  shop.on('update_order_review', () => answer())
  shop.page('/checkout/', pageHtml({ body, settings, bodyClass: 'woocommerce-checkout' }))
  await page.goto(`${shop.url}/checkout/?a=b${hash}`)
  await eventually(() => reviews().length).toBeGreaterThan(0)
  await eventually(() => page.locator('.blockUI').count()).toBe(0)
  await listenFor(page, ['checkout_error', 'updated_checkout', 'wc_custom_place_order_button_registered'])
  return page
}

describe('a payment that has begun', () => {
  it('CHK-07 an error marker in the address is taken out, and the wallet is offered anew', async () => {
    const page = await start('#ppcp_error=true')
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('?a=b')
    expect(await tokens()).toEqual(['', '', ''])
    expect(scene.errors).toEqual([])
  })

  it('CHK-07 also when it comes while the page is open; any other hash is left alone', async () => {
    const page = await start('#billing_email')
    expect(await tokens()).toEqual(['ORDER1', 'BA1', 'T1'])
    await page.evaluate(() => {
      location.hash = '#ppcp_error=false'
    })
    await settled(page)
    expect(await tokens()).toEqual(['ORDER1', 'BA1', 'T1'])
    const before = reviews().length
    await page.evaluate(() => {
      location.hash = '#x=1&ppcp_error=true'
    })
    await eventually(tokens).toEqual(['', '', ''])
    await eventually(() => reviews().length).toBe(before + 1)
    expect(new URL(page.url()).hash).toBe('')
  })

  it('CHK-08 CHK-12 an error of the checkout forgets order and tokens, and lets the order be placed again', async () => {
    const page = await start()
    scene.shop.on('checkout', () => ({
      json: { result: 'failure', messages: '<ul class="woocommerce-error"><li>No.</li></ul>' },
    }))
    await page.locator('#place_order').click()
    await eventually(() => firedEventNames(page)).toContain('checkout_error')
    const [sent] = scene.shop.calls('checkout')
    expect(
      ['ppcp_paypal_order_id', 'ppcp_billing_token', 'ppcp_payment_token'].map((name) => sent?.body.get(name)),
    ).toEqual(['ORDER1', 'BA1', 'T1'])
    expect(await tokens()).toEqual(['', '', ''])
    expect(await page.locator('#place_order').isEnabled()).toBe(true)
    await page.locator('#place_order').click()
    await eventually(() => scene.shop.calls('checkout').length).toBe(2)
    expect(scene.shop.calls('checkout')[1]?.body.get('ppcp_paypal_order_id')).toBe('')
  })

  it('F23 a form whose nonce has become another visitor’s is loaded anew, once', async () => {
    const page = await start()
    scene.shop.on('update_order_review', () => ({ status: 403, body: '-1' }))
    await Promise.all([page.waitForEvent('load'), ask()])
    // The reload requested it once, was refused, and stays.
    await eventually(() => reviews().length).toBe(3)
    await settled(page)
    expect(reviews()).toHaveLength(3)
  })
})

it('CHK-11 what is kept is paid with the shop’s own words on the button, and new means bring the method’s', async () => {
  const { page } = scene
  const kept = (value: string, checked = '') =>
    `<label><input type="radio" name="kept" class="woocommerce-SavedPaymentMethods-tokenInput" value="${value}" ${checked}>${value}</label>`
  const wallet = payment()
    .replace('value="cod" checked', '$& data-order_button_text="Pay with the wallet"')
    .replace('Box', kept('grace', 'checked') + kept('new'))
  scene.shop.on('update_order_review', () => ({
    json: { result: 'success', messages: '', reload: false, fragments: { '.woocommerce-checkout-payment': wallet } },
  }))
  scene.shop.page('/checkout/', pageHtml({ body, settings, bodyClass: 'woocommerce-checkout' }))
  await page.goto(`${scene.shop.url}/checkout/`)
  const named = () => page.locator('#place_order').textContent()
  await page.getByLabel('grace').waitFor()
  await eventually(named).toBe('Place order')
  await page.getByLabel('new').check()
  await eventually(named).toBe('Pay with the wallet')
  await page.getByLabel('grace').check()
  await eventually(named).toBe('Place order')
  expect(scene.errors).toEqual([])
})

it('OVL-02 what comes with new ways to pay stays when they are released', async () => {
  const page = await start()
  scene.shop.on('update_order_review', () => answer('', '<div class="wallet">Wallet</div>'))
  await ask()
  await page.getByText('Wallet').waitFor()
  await eventually(() => page.locator('.blockUI').count()).toBe(0)
  expect(await page.locator('#payment .wallet').textContent()).toBe('Wallet')
})

describe('a place-order button of a method’s own', () => {
  const register = (id: unknown, kind: 'good' | 'broken' | 'none' = 'good') =>
    scene.page.evaluate(
      ([id, kind]) => {
        const told = (Reflect.get(window, 'told') as string[] | undefined) ?? []
        Object.assign(window, { told })
        const button = {
          render(container: HTMLElement, api: { validate(): Promise<{ hasError: boolean }>; submit(): void }) {
            told.push(`render ${id}`)
            if (kind === 'broken') throw new Error('no')
            const mine = document.createElement('button')
            mine.type = 'button'
            mine.textContent = `Pay by ${id}`
            mine.onclick = async () => {
              const { hasError } = await api.validate()
              told.push(hasError ? 'error' : 'fine')
              if (!hasError) api.submit()
            }
            container.append(mine)
          },
          cleanup: () => void told.push(`cleanup ${id}`),
        }
        Reflect.get(window, 'wc').customPlaceOrderButton.register(id, kind === 'none' ? {} : button)
      },
      [id, kind] as const,
    )
  const told = () => scene.page.evaluate(() => Reflect.get(window, 'told'))
  const active = () => scene.page.locator('form.checkout.has-custom-place-order-button').count()

  it('stands in place of the shop’s while its method is chosen, and comes back with new markup', async () => {
    const page = await start()
    await register('bank')
    expect(await active()).toBe(0)
    await page.getByLabel('bank').check()
    await page.getByRole('button', { name: 'Pay by bank' }).waitFor()
    expect(await active()).toBe(1)
    expect(await page.locator('#place_order + .wc-custom-place-order-button').count()).toBe(1)
    scene.shop.on('update_order_review', () => answer('new'))
    await ask()
    await eventually(told).toEqual(['render bank', 'cleanup bank', 'render bank'])
    await page.getByLabel('cod').check()
    await eventually(active).toBe(0)
    expect(await page.locator('.wc-custom-place-order-button').count()).toBe(0)
    expect(await told()).toEqual(['render bank', 'cleanup bank', 'render bank', 'cleanup bank'])
  })

  it('comes back where the shop’s button is followed by another element of the shop', async () => {
    const page = await start()
    await register('bank')
    await page.getByLabel('bank').check()
    await page.getByRole('button', { name: 'Pay by bank' }).waitFor()
    scene.shop.on('update_order_review', () => answer('new', '<div class="wallet">Wallet</div>'))
    await ask()
    await eventually(() => page.locator('#place_order + * + *').textContent()).toBe('Wallet')
    await page.getByRole('button', { name: 'Pay by bank' }).waitFor()
    expect(await page.locator('#place_order + .wc-custom-place-order-button').count()).toBe(1)
    expect(await told()).toEqual(['render bank', 'cleanup bank', 'render bank'])
  })

  it('registered for the chosen method it shows at once and tells so; a second one is ignored', async () => {
    const page = await start()
    await register('cod')
    await register('cod')
    await page.getByRole('button', { name: 'Pay by cod' }).waitFor()
    expect(await told()).toEqual(['render cod'])
    expect(await heard(page)).toEqual([['wc_custom_place_order_button_registered', 'cod']])
  })

  it('is registered by scripts that start before the checkout’s own, whichever way they hold the function', async () => {
    const { page } = scene
    scene.shop.on('update_order_review', () => answer())
    scene.shop.page('/checkout/', pageHtml({ body, settings, bodyClass: 'woocommerce-checkout' }))
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        const { customPlaceOrderButton } = Reflect.get(window, 'wc')
        const { register } = customPlaceOrderButton
        const button = (name: string) => ({ render: (box: HTMLElement) => box.append(name), cleanup: () => {} })
        customPlaceOrderButton.register('cod', button('Cash'))
        Object.assign(window, { registerBank: () => register('bank', button('Transfer')) })
      })
    })
    await page.goto(`${scene.shop.url}/checkout/`)
    const shown = () => page.locator('.wc-custom-place-order-button').textContent()
    await eventually(shown).toBe('Cash')
    await page.evaluate(() => Reflect.get(window, 'registerBank')())
    await page.getByLabel('bank').check()
    await eventually(shown).toBe('Transfer')
    expect(scene.errors).toEqual([])
  })

  it('asks for what is missing before it orders', async () => {
    const page = await start()
    await register('cod')
    scene.shop.on('checkout', () => ({ json: { result: 'failure', messages: '' } }))
    await page.getByRole('button', { name: 'Pay by cod' }).click()
    await eventually(told).toEqual(['render cod', 'error'])
    expect(scene.shop.calls('checkout')).toEqual([])
    await page.getByLabel('Terms').check()
    await page.getByRole('button', { name: 'Pay by cod' }).click()
    await eventually(() => scene.shop.calls('checkout').length).toBe(1)
  })

  it('one that cannot be used leaves the shop’s own button', async () => {
    const page = await start()
    await register('cod', 'none')
    await register(7)
    expect(await active()).toBe(0)
    await register('cod', 'broken')
    expect(await active()).toBe(0)
    expect(await page.locator('#place_order').isVisible()).toBe(true)
    expect(scene.errors).toHaveLength(3)
  })
})

it('CHK-10 the form to log in opens above the checkout, and is ready to be filled in', async () => {
  const page = await start()
  const toggle = page.getByRole('button', { name: 'Log in here' })
  await toggle.click()
  await page.getByLabel('User name').waitFor()
  expect(await toggle.getAttribute('aria-expanded')).toBe('true')
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('username')
  await toggle.click()
  await page.getByLabel('User name').waitFor({ state: 'hidden' })
  expect(await toggle.getAttribute('aria-expanded')).toBe('false')
})
