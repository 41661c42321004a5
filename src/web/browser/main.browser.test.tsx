import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { defaultSettings } from '#tests/support/browser-modules/fixture-shop.ts'
import {
  addJQuery,
  aScene,
  eventually,
  firedEventNames,
  listenFromTheStart,
} from '#tests/support/browser-modules/scene.ts'
import { aCart } from '#tests/support/cart/cart-page-fixtures.ts'
import { aListing, someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { anAttribute, aVariableProduct } from '#tests/support/catalog/product-page-fixtures.ts'
import { aCheckout } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aFrame, aShop } from '#tests/support/shared/page-fixtures.ts'
import { CartPage } from '../pages/cart/cart-page.tsx'
import { ListingPage } from '../pages/catalog/listing-page.tsx'
import { ProductPage } from '../pages/catalog/product-page.tsx'
import { CheckoutPage } from '../pages/checkout/checkout-page.tsx'
import { renderDocument } from '../pages/shared/render.tsx'

/** The pages as the shop renders them, with the script that it serves. */
const scene = aScene()

type Kind = 'listing' | 'product' | 'cart' | 'checkout'
async function open(element: ReactElement, kind: Kind, scripts = ''): Promise<void> {
  const { shop, page } = scene
  const frame = aFrame({ kind, settings: defaultSettings, assets: { css: [], script: '/assets/main.js', preload: [] } })
  shop.page('/page/', renderDocument(aShop(), frame, element).replace('</body>', `${scripts}$&`))
  await page.goto(`${shop.url}/page/`)
  await page.waitForSelector('body.woocommerce-js')
}

const islands = () =>
  scene.page
    .locator('vitrine-island')
    .evaluateAll((all) => all.map((it) => [it.getAttribute('name'), Reflect.get(it, 'live')]))

it('a variable product hydrates without complaint, and the choice that woke it holds', async () => {
  const { page } = scene
  await open(<ProductPage facts={aVariableProduct()} />, 'product')
  const select = page.locator('.variations select').first()
  const value = await select.locator('option:not([value=""])').first().getAttribute('value')
  await select.selectOption(value)
  await eventually(() => islands()).toContainEqual(['variation-form', true])
  await settled(page)
  expect(await select.inputValue()).toBe(value)
  expect(scene.errors).toEqual([])
})

describe('a variable product on a page with jQuery', () => {
  const jQueryScript = '<script src="/assets/fake-jquery.js"></script>'
  const trigger = (selector: string, event: string) =>
    scene.page.evaluate(
      ([selector = '', event]) => Reflect.get(window, 'jQuery')(document.querySelector(selector)).trigger(event),
      [selector, event],
    )

  it('PROD-05 tells scripts of its default variation before anybody touches it', async () => {
    const { page } = scene
    await listenFromTheStart(page, ['found_variation', 'show_variation', 'wc_variation_form'])
    const attributes = aVariableProduct().attributes.map((attribute) =>
      anAttribute({ ...attribute, defaultOption: attribute.options[0]?.value ?? '' }),
    )
    await open(<ProductPage facts={aVariableProduct({ attributes })} />, 'product', jQueryScript)
    await eventually(async () => (await firedEventNames(page)).sort()).toEqual([
      'found_variation',
      'show_variation',
      'wc_variation_form',
    ])
    expect(scene.errors).toEqual([])
  })

  it('PROD-03 offers what scripts put into its data, or its attribute, in the place of what the page came with', async () => {
    const { page } = scene
    await open(<ProductPage facts={aVariableProduct()} />, 'product', jQueryScript)
    await eventually(() => islands()).toContainEqual(['variation-form', true])
    /** Triggers a new choice after the offer has changed. */
    const offer = (into: 'data' | 'attribute', add: number) =>
      page.evaluate(
        ([into, add]) => {
          const form = document.querySelector<HTMLFormElement>('form.variations_form')
          const nodes = Reflect.get(window, 'jQuery')(form)
          const now = JSON.parse(form?.dataset.product_variations ?? '') as { variation_id: number }[]
          const other = now.map((variation) => ({ ...variation, variation_id: variation.variation_id + add }))
          if (into === 'data') nodes.data('product_variations', other)
          else form?.setAttribute('data-product_variations', JSON.stringify(other))
          nodes.trigger('reload_product_variations')
        },
        [into, add] as const,
      )
    const selects = page.locator('.variations select')
    for (const select of await selects.all()) {
      const value = await select.locator('option:not([value=""])').first().getAttribute('value')
      await select.evaluate((select: HTMLSelectElement, value) => {
        select.value = value ?? ''
        Reflect.get(window, 'jQuery')(select).trigger('change')
      }, value)
    }
    const variation = page.locator('input.variation_id')
    await eventually(() => variation.inputValue()).not.toBe('0')
    const first = Number(await variation.inputValue())
    await offer('data', 1000)
    await eventually(() => variation.inputValue()).toBe(String(first + 1000))
    await offer('attribute', 2000)
    await eventually(() => variation.inputValue()).toBe(String(first + 2000))
    await trigger('form.variations_form', 'reload_product_variations')
    expect(await variation.inputValue()).toBe(String(first + 2000))
    expect(scene.errors).toEqual([])
  })

  it.each([
    ['a script of the page', jQueryScript],
    ['one that a tag manager puts in after the page has loaded', ''],
  ])('PROD-03 follows a choice that scripts make, jQuery being of %s', async (_, scripts) => {
    const { page } = scene
    await page.clock.install()
    await open(<ProductPage facts={aVariableProduct()} />, 'product', scripts)
    await page.waitForLoadState('load')
    if (!scripts) {
      await passTime(page, 2000)
      // A page without jQuery loads nothing for it.
      expect(await islands()).toContainEqual(['variation-form', false])
      await addJQuery(page)
    }
    await eventually(() => islands()).toContainEqual(['variation-form', true])
    await page.evaluate(() => {
      const all = document.querySelectorAll<HTMLSelectElement>('.variations select')
      for (const select of all) {
        select.value = select.options[1]?.value ?? ''
        Reflect.get(window, 'jQuery')(select).trigger('change')
      }
    })
    const variation = page.locator('input.variation_id')
    await eventually(() => variation.inputValue()).not.toBe('0')
    const found = await variation.inputValue()

    await page.evaluate(() => {
      for (const select of document.querySelectorAll<HTMLSelectElement>('.variations select')) select.value = ''
    })
    await trigger('form.variations_form', 'check_variations')
    await eventually(() => variation.inputValue()).not.toBe(found)
    expect(scene.errors).toEqual([])
  })
})

it('§2.7: the tabs and pictures of a product are pressed by scripts that speak jQuery', async () => {
  const { page } = scene
  const scripts = '<script src="/assets/fake-jquery.js"></script>'
  await open(<ProductPage facts={aVariableProduct()} />, 'product', scripts)
  const press = (selector: string) =>
    page.evaluate((selector) => {
      Reflect.get(window, 'jQuery')(document.querySelector(selector)).trigger('click')
    }, selector)
  await page.mouse.move(5, 5)
  for (const name of ['product-gallery', 'product-tab-list']) {
    await page.locator(`vitrine-island[name=${name}] > *`).scrollIntoViewIfNeeded()
    await eventually(() => islands()).toContainEqual([name, true])
  }
  const panel = page.locator('#tab-additional_information')
  expect(await panel.isVisible()).toBe(false)
  await press('.wc-tabs .additional_information_tab a')
  await eventually(() => panel.isVisible()).toBe(true)
  await press('.woocommerce-product-gallery__trigger')
  await page.getByRole('dialog').waitFor()
  expect(scene.errors).toEqual([])
})

it('a quantity on a product page steps before and after its island is awake', async () => {
  const { page } = scene
  await open(<ProductPage facts={aVariableProduct()} />, 'product')
  const quantity = page.locator('form.cart input.qty').first()
  const before = Number(await quantity.inputValue())
  await page.locator('form.cart .plus').first().click()
  await eventually(() => quantity.inputValue()).toBe(String(before + 1))
  await eventually(() => islands()).toContainEqual(['variation-form', true])
  await page.locator('form.cart .plus').first().click()
  await eventually(() => quantity.inputValue()).toBe(String(before + 2))
  expect(scene.errors).toEqual([])
})

it('a listing has no island that wakes by itself and opens its cart beside it', async () => {
  const { page } = scene
  await open(<ListingPage facts={aListing({ products: someCards(8) })} />, 'listing')
  await page.locator('.cart-contents').click()
  await page.getByRole('dialog', { name: 'Cart' }).waitFor()
  expect((await islands()).filter(([, live]) => live)).toEqual([])
  expect(scene.errors).toEqual([])
})

it('the cart page answers itself', async () => {
  const { page, shop } = scene
  await open(<CartPage cart={aCart()} nonces={{}} />, 'cart')
  await page.waitForSelector('[name=update_cart][disabled]')
  shop.at('/cart/', () =>
    renderDocument(aShop(), aFrame({ kind: 'cart' }), <CartPage cart={aCart({ lines: [] })} nonces={{}} />),
  )
  await page.locator('.product-remove a').first().click()
  await page.getByText('Your cart is currently empty.').waitFor()
  expect(scene.errors).toEqual([])
})

it('the checkout page opens one payment box and the shipping address with its tick', async () => {
  const { page } = scene
  await open(<CheckoutPage facts={aCheckout()} nonces={{}} />, 'checkout')
  await eventually(() =>
    page.locator('.payment_box').evaluateAll((all) => all.filter((it) => it.checkVisibility()).length),
  ).toBe(1)
  const address = page.locator('div.shipping_address')
  expect(await address.isVisible()).toBe(false)
  await page.locator('#ship-to-different-address input').check()
  await address.waitFor()
  expect(scene.errors).toEqual([])
})
