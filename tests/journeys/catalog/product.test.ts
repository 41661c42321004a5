import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { settled } from '#tests/support/browser/page-time.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  const swatches = { pa_colour: { sand: '#d9c8a9', sea: '#4d7f86' } }
  ;[shop, browser] = await Promise.all([aShop({ wallet: false, settings: { swatches } }), aBrowser()])
  // The mug gets two pictures more, those of the bowl and of the shirt in sea.
  await shop.db.sql`
    insert into product_images (product_id, image_id, position)
    select mug.id, picture.image_id, row_number() over (order by other.sku) + 5
    from products mug, products other join product_images picture on picture.product_id = other.id
    where mug.sku = 'MUG' and other.sku in ('BOWL', 'SHIRT-SEA-M')`
  await stockPaints()
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Six colours in six tins: more variations than a page carries. */
async function stockPaints(): Promise<void> {
  const colours = ['Red', 'Blue', 'Green', 'Grey', 'Ochre', 'White']
  const tins = ['1', '2', '3', '4', '5', '6']
  const rows = colours.flatMap((colour, place) =>
    tins.map(
      (tin) => `variation,PAINT-${colour}-${tin},Paint,1,1,${10 + place}.${tin}0,PAINT,Colour,${colour},0,Tin,${tin},0`,
    ),
  )
  const file = join(shop.dataDir, 'paints.csv')
  const head =
    'Type,SKU,Name,Published,In stock?,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 1 global,Attribute 2 name,Attribute 2 value(s),Attribute 2 global'
  const parent = `variable,PAINT,Paint,1,1,,,Colour,"${colours.join(', ')}",0,Tin,"${tins.join(', ')}",0`
  await writeFile(file, [head, parent, ...rows].join('\n'))
  const report = await importProducts(
    {
      ...systemEnvironment(systemLog('silent')),
      db: shop.db,
      settings: shopConfiguration(await readConfiguration(shop.db)).settings,
    },
    {
      file,
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: shop.dataDir,
      mediaDir: join(shop.dataDir, 'media'),
      downloadsDir: join(shop.dataDir, 'downloads'),
      lookup: async () => [],
    },
  )
  expect(report.ok).toBe(true)
}

const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 8000 })
const active = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)
const strip = (page: Page) =>
  page.locator('.woocommerce-product-gallery__wrapper').evaluate((it) => Math.round(it.scrollLeft / it.clientWidth))

/** Adds up what has moved without a person's doing. */
const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!Reflect.get(entry, 'hadRecentInput')) sum += Number(Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 300)
      }),
  )

describe('the gallery', () => {
  it('PROD-01 leads to each picture by its thumbnail, and nothing moves', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    // From the page's beginning: on a busy machine the gallery may have come to life before anybody listens.
    await page.addInitScript(() => {
      const heard: string[] = []
      Reflect.set(window, 'heard', heard)
      for (const name of ['wc-product-gallery-before-init', 'wc-product-gallery-after-init']) {
        document.addEventListener(name, () => heard.push(name))
      }
    })
    await page.goto('/product/plain-mug/')
    const thumbs = page.locator('ol.flex-control-nav.flex-control-thumbs li')
    expect(await thumbs.locator('img').count()).toBe(3)
    await page.getByRole('link', { name: 'Image 3 of 3' }).click()
    await eventually(() => strip(page)).toBe(2)
    await eventually(() => page.locator('.flex-active').evaluateAll((all) => all.length)).toBe(1)
    await eventually(() => thumbs.nth(2).locator('a[aria-current=true] > img.flex-active').count()).toBe(1)
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([
      'wc-product-gallery-before-init',
      'wc-product-gallery-after-init',
    ])
    // Another script asks for the first picture, as the variation forms of the ecosystem do.
    await page
      .locator('.woocommerce-product-gallery')
      .evaluate((it) => it.dispatchEvent(new CustomEvent('woocommerce_gallery_reset_slide_position')))
    await eventually(() => strip(page)).toBe(0)
    expect(await shift(page)).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-01 opens in full: keys, counter, a closer look, and back to where one was', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.getByRole('link', { name: 'View images in full screen' }).focus()
    await page.keyboard.press('Enter')
    const view = page.getByRole('dialog', { name: 'Images of Plain mug' })
    await view.waitFor()
    const count = view.locator('.gallery-view__count')
    await eventually(() => count.textContent()).toMatch(/^1 \/ 3/)
    await page.keyboard.press('ArrowRight')
    await eventually(() => count.textContent()).toMatch(/^2 \/ 3/)
    // The one beside it is there before it is asked for.
    expect(await view.locator('img').nth(2).getAttribute('loading')).toBe('eager')
    await page.keyboard.press('End')
    await eventually(() => count.textContent()).toMatch(/^3 \/ 3/)
    await view.getByRole('button', { name: 'Previous image' }).click()
    await eventually(() => count.textContent()).toMatch(/^2 \/ 3/)
    const slide = view.locator('.gallery-view__slide').nth(1)
    const width = () => slide.locator('img').evaluate((it) => it.getBoundingClientRect().width)
    const before = await width()
    await view.getByRole('button', { name: 'Zoom in' }).click()
    await eventually(width).toBe(before * 2.5)
    const left = await slide.evaluate((it) => it.scrollLeft)
    await page.keyboard.press('ArrowRight')
    await eventually(() => slide.evaluate((it) => it.scrollLeft)).toBe(left + 80)
    expect(await count.textContent()).toMatch(/^2 \/ 3/)
    await page.keyboard.press('Escape')
    await eventually(() => view.isVisible()).toBe(false)
    await eventually(() => strip(page)).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-product-gallery__trigger')
    expect(visitor.errors).toEqual([])
  })

  it('PROD-01 looks closer under a mouse, where the picture is larger than it shows', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    const slide = page.locator('.woocommerce-product-gallery__image').first()
    await slide.hover()
    const lens = slide.locator('img.zoomImg')
    // The fixture's picture is small: nothing would be gained.
    await settled(page)
    expect(await lens.count()).toBe(0)
    await slide.locator('img').evaluate((it) => {
      it.setAttribute('data-large_image_width', '4000')
      it.setAttribute('data-large_image_height', '5000')
      it.closest('.woocommerce-product-gallery')?.dispatchEvent(new CustomEvent('woocommerce_gallery_init_zoom'))
    })
    const box = await slide.boundingBox()
    if (!box) throw new Error('the picture has no place')
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2)
    await lens.and(page.locator('.is-ready')).waitFor()
    expect(await lens.evaluate((it) => it.style.scale)).toBe('2.5')
    expect(await lens.evaluate((it) => it.style.transformOrigin)).toBe('25% 50%')
    await page.mouse.move(5, 5)
    await eventually(() => lens.count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-01 comes closer to two taps and to two fingers', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.locator('.woocommerce-product-gallery__image a').first().tap()
    const slide = page.locator('.gallery-view__slide').first()
    await slide.waitFor()
    const zoom = () => slide.evaluate((it) => Number(getComputedStyle(it).getPropertyValue('--zoom') || 1))
    await page.touchscreen.tap(180, 370)
    await page.touchscreen.tap(180, 370)
    await eventually(zoom).toBe(2.5)
    await page.touchscreen.tap(180, 370)
    await page.touchscreen.tap(180, 370)
    await eventually(zoom).toBe(1)
    const fingers = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: 180 - apart, y: 370, id: 1 },
                { x: 180 + apart, y: 370, id: 2 },
              ],
      })
    await touch('touchStart', 40)
    for (const apart of [50, 60, 70, 80]) await touch('touchMove', apart)
    await touch('touchEnd', 0)
    await eventually(zoom).toBeCloseTo(2, 1)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-01 works without script: thumbnails are anchors, pictures are links', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.getByRole('link', { name: 'Image 2 of 3' }).click()
    expect(new URL(page.url()).hash).toBe('#picture-2')
    await page.locator('.woocommerce-product-gallery__image a').nth(1).click()
    await page.waitForURL(/\/media\/\w+-\d+\.webp$/)
  })
})

describe('choosing by colour', () => {
  const swatch = (page: Page, name: string) => page.getByRole('radio', { name })

  it('PROD-03 drives the select that it stands in for, and swaps picture, price and number', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    const select = page.locator('select#pa_colour')
    expect(await select.isVisible()).toBe(false)
    expect(await page.locator('form.cart').getByRole('combobox').count()).toBe(1)
    const first = await page.locator('img.wp-post-image').getAttribute('src')
    // The press that wakes the form counts, a moment later.
    await swatch(page, 'Sea').click()
    await eventually(() => swatch(page, 'Sea').isChecked()).toBe(true)
    await eventually(() => select.inputValue()).toBe('sea')
    expect(await page.locator('.swatch-chosen').textContent()).toBe('Sea')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
    await eventually(() => page.locator('.single_variation .price').textContent()).toBe('$44.00')
    expect(await page.locator('.product_meta .sku').textContent()).toBe('SHIRT-SEA-M')
    expect(await page.locator('img.wp-post-image').getAttribute('src')).not.toBe(first)
    expect(await page.locator('input.variation_id').inputValue()).toBe(String(await shop.idOf('SHIRT-SEA-M')))
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'has been added to your cart' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('PROD-03 strikes through what does not exist, and a reset gives it back, says so and leads to the first choice', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    // Small exists in sand only.
    await page.getByRole('combobox', { name: 'Size' }).selectOption('S')
    await eventually(() => swatch(page, 'Sea').isDisabled()).toBe(true)
    expect(await swatch(page, 'Sand').isDisabled()).toBe(false)
    await swatch(page, 'Sand').check()
    await eventually(() => page.locator('.single_variation .price').textContent()).toBe('$40.00')
    await page.getByRole('button', { name: 'Clear options' }).focus()
    await page.keyboard.press('Space')
    await eventually(() => swatch(page, 'Sea').isDisabled()).toBe(false)
    expect(await swatch(page, 'Sand').isChecked()).toBe(false)
    expect(await page.locator('.reset_variations_alert').textContent()).toMatch(/^Your choice was cleared/)
    await eventually(() => active(page)).toBe('Sand')
    expect(await page.locator('.product_meta .sku').textContent()).toBe('SHIRT')
    expect(visitor.errors).toEqual([])
  })

  it('PROD-03 says what is missing, and what cannot be bought', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    const said: string[] = []
    page.on('dialog', (dialog) => {
      said.push(dialog.message())
      void dialog.accept()
    })
    const button = page.locator('.single_add_to_cart_button')
    await button.click()
    await eventually(() => said).toEqual([expect.stringMatching(/^Please choose the options of this product/)])
    await eventually(() => active(page)).toBe('Sand')
    await swatch(page, 'Sea').check()
    await page.getByRole('combobox', { name: 'Size' }).selectOption('L')
    await eventually(() => page.locator('.single_variation .stock').textContent()).toBe('Out of stock')
    await button.click()
    await eventually(() => said[1]).toMatch(/^This combination cannot be bought/)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-03 is a select without script', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    expect(await page.getByRole('radio').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sand')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('L')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '“Linen shirt” has been added' }).waitFor()
  })
})

describe('a product in more than thirty variations', () => {
  it('PROD-03 asks the shop for the one that was chosen, and adds it', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/paint/')
    expect(await page.locator('form.variations_form').getAttribute('data-product_variations')).toBe('false')
    const asked = page.waitForRequest((request) => request.url().includes('wc-ajax=get_variation'))
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Green')
    await page.getByRole('combobox', { name: 'Tin' }).selectOption('5')
    expect((await asked).postData()).toContain('attribute_tin=5')
    await eventually(() => page.locator('.single_variation .price').textContent()).toBe('$12.50')
    // Nothing is filtered: the page does not know what goes with what.
    expect(await page.locator('select#colour option').count()).toBe(7)
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '“Paint” has been added' }).waitFor()
    await page.goto('/cart/')
    expect(await page.locator('.cart_item dl.variation').textContent()).toMatch(/Green.*5/s)
    expect(visitor.errors).toEqual([])
  })
})

describe('forged choices', () => {
  const post = async (fields: Record<string, string>) => {
    const visitor = await aShopper(browser, shop)
    await visitor.page.goto('/product/linen-shirt/')
    const { url } = shop
    const answer = await visitor.page.request.post('/product/linen-shirt/', {
      headers: { origin: url, referer: `${url}/product/linen-shirt/` },
      form: { quantity: '1', ...fields },
    })
    const text = await answer.text()
    await visitor[Symbol.asyncDispose]()
    return { status: answer.status(), text }
  }
  const shirt = async () => String(await shop.idOf('SHIRT'))
  const variation = async (sku: string) => String(await shop.idOf(sku))

  it('PROD-03 a value that the variation does not have, or the attribute does not know, is named', async () => {
    const product = await shirt()
    const fixed = await post({
      'add-to-cart': product,
      variation_id: await variation('SHIRT-SEA-M'),
      attribute_pa_colour: 'sand',
      attribute_size: 'M',
    })
    expect(fixed.status).toBe(200)
    expect(fixed.text).toContain('Invalid value posted for Colour')
    const unknown = await post({
      'add-to-cart': product,
      variation_id: await variation('SHIRT-SAND'),
      attribute_pa_colour: 'sand',
      attribute_size: 'XXXL',
    })
    expect(unknown.text).toContain('Invalid value posted for Size')
  })

  it('PROD-03 an open attribute that was not posted is asked for', async () => {
    const { text } = await post({
      'add-to-cart': await shirt(),
      variation_id: await variation('SHIRT-SAND'),
      attribute_pa_colour: 'sand',
    })
    expect(text).toContain('Size is a required field')
  })

  it('PROD-03 a variation of another product, or none, leads to the choice', async () => {
    const foreign = await post({
      'add-to-cart': await shirt(),
      variation_id: await variation('PAINT-Red-1'),
      attribute_pa_colour: 'sand',
      attribute_size: 'S',
    })
    expect(foreign.text).toContain('Please choose the options of')
    const none = await post({ 'add-to-cart': await shirt(), attribute_pa_colour: 'no-such-colour' })
    expect(none.text).toContain('Please choose the options of')
  })
})

describe('products of other kinds', () => {
  it.each([true, false])(
    'PROD-01 a group adds what has a quantity, and asks for one (scripts: %s)',
    async (javaScriptEnabled) => {
      await using visitor = await aShopper(browser, shop, { javaScriptEnabled })
      const { page } = visitor
      await page.goto('/product/tea-set/')
      const add = page.locator('.grouped_form').getByRole('button', { name: 'Add to cart', exact: true })
      await add.click()
      await page.getByRole('alert').filter({ hasText: 'Please choose how many items' }).waitFor()
      await page.getByRole('spinbutton', { name: 'Plain mug quantity' }).fill('2')
      await page.getByRole('spinbutton', { name: 'Soup bowl quantity' }).fill('1')
      await add.click()
      await page.getByRole('alert').filter({ hasText: '2 × “Plain mug” and “Soup bowl” have been added' }).waitFor()
      expect(visitor.errors).toEqual([])
    },
  )

  it('PROD-01 a group by its bare number asks for a product', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto(`/shop/?add-to-cart=${await shop.idOf('SET')}`)
    await page.getByRole('alert').filter({ hasText: 'Please choose a product to add to your cart.' }).waitFor()
  })

  it('PROD-01 a product sold elsewhere leads there, past this shop’s own content policy', async () => {
    await shop.db.sql`update products set external_url = 'https://books.example/tea?ref=us&id=7' where sku = 'BOOK'`
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.route('https://books.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Books</title>' }),
    )
    await page.goto('/product/a-book-elsewhere/')
    await page.getByRole('button', { name: 'Buy from the publisher' }).click()
    await page.waitForURL('https://books.example/tea?ref=us&id=7')
    expect(visitor.errors).toEqual([])
  })
})

describe('the tabs', () => {
  it('PROD-01 stand one below the other without script', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    await visitor.page.goto('/product/plain-mug/#tab-additional_information')
    expect(await visitor.page.locator('.wc-tab').evaluateAll((all) => all.map((it) => it.checkVisibility()))).toEqual([
      true,
      true,
    ])
  })

  it('PROD-01 open by the address, and by keys from there', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/#tab-additional_information')
    const panel = page.locator('#tab-additional_information')
    expect(await panel.isVisible()).toBe(true)
    expect(await page.locator('#tab-description').isVisible()).toBe(false)
    const tab = page.getByRole('tab', { name: 'Additional information' })
    await tab.scrollIntoViewIfNeeded()
    await page.mouse.move(50, 50)
    await eventually(() => tab.getAttribute('aria-selected')).toBe('true')
    await tab.focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => page.locator('#tab-description').isVisible()).toBe(true)
    expect(await panel.isVisible()).toBe(false)
    expect(visitor.errors).toEqual([])
  })
})
