import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDemoCatalogue } from '#tests/support/catalog/demo-catalogue.ts'
import { select } from '#tests/support/shared/rendered-markup.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { say } from '#tests/support/translation/add-translations.ts'

let shop: TestShop
/** Hashes of pictures by the SKU of their product or variation. */
let pictures: Map<string, string>
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { productsPerPage: 100, languages: [{ tag: 'de-DE' }] } })
  await addDemoCatalogue(shop)
  await say(shop, 'de-DE', { Moss: 'Moosgrün' })
  const rows = await shop.db.sql<{ sku: string; hash: string }[]>`
    select p.sku, i.hash from products p join product_images pi on pi.product_id = p.id and pi.position = 0
      join images i on i.id = pi.image_id where p.sku is not null`
  pictures = new Map(rows.map(({ sku, hash }) => [sku, hash]))
}, 240_000)
afterAll(() => shop?.close())

/** The link and the picture by which a page shows a product. */
async function shown(path: string, slug: string) {
  const html = await (await fetch(shop.url + path)).text()
  const links = select(html, 'a').filter(({ attributes }) => {
    const [address] = (attributes.href ?? '').split('?')
    return (
      address === `/product/${slug}/` &&
      /woocommerce-LoopProduct-link|^suggested-/.test(`${attributes.class ?? attributes.id}`)
    )
  })
  expect(links, path).toHaveLength(1)
  const href = (links[0]?.attributes.href ?? '').replaceAll('&amp;', '&')
  const at = html.indexOf(`href="${links[0]?.attributes.href}"`)
  const hash = /\/media\/([0-9a-f]+)-/.exec(html.slice(at))?.[1]
  const sku = [...pictures].find(([, has]) => has === hash)?.[0]
  return { href, picture: hash, sku, html }
}

describe('LIST-06 a narrowed listing', () => {
  it('shows picture and link of the variation that it is narrowed to', async () => {
    const vase = await shown('/shop/?filter_color=moss', 'tidal-vase')
    expect(vase.picture).toBe(pictures.get('TIDAL-VASE-MOSS'))
    expect(vase.href).toBe('/product/tidal-vase/?attribute_pa_color=moss')
    const plain = await shown('/shop/', 'tidal-vase')
    expect(plain.picture).toBe(pictures.get('TIDAL-VASE'))
    expect(plain.href).toBe('/product/tidal-vase/')
  })

  it('leads to a page that has the variation chosen', async () => {
    const { href } = await shown('/product-category/ceramics/?filter_color=moss', 'tidal-vase')
    const html = await (await fetch(shop.url + href)).text()
    const [chosen] = select(html, 'option').filter(({ attributes }) => attributes.value === 'moss')
    expect(chosen?.attributes).toHaveProperty('selected')
  })

  it('shows what is on sale in a list of offers', async () => {
    const carafe = await shown('/shop/?filter_on_sale=1', 'fogline-carafe')
    expect(carafe.picture).toBe(pictures.get('CARAFE-SEA'))
    expect(carafe.href).toBe('/product/fogline-carafe/?attribute_pa_color=sea')
  })

  it('leaves products as they are that do not vary by it', async () => {
    const vase = await shown('/shop/?filter_material=stoneware', 'tidal-vase')
    expect([vase.picture, vase.href]).toEqual([pictures.get('TIDAL-VASE'), '/product/tidal-vase/'])
  })
})

describe('LIST-06 a search', () => {
  it.each([
    ['a listing', '/?s=moss+vases&post_type=product'],
    ['suggestions', '/search-suggestions/?term=moss+vase'],
    ['a listing by the number of the variation', '/?s=tidalvasemoss&post_type=product'],
    ['suggestions by the number of the variation', '/search-suggestions/?term=TIDAL-VASE-MOSS'],
  ])('for a variation shows its picture and link: %s', async (_, path) => {
    const vase = await shown(path, 'tidal-vase')
    expect(vase.picture).toBe(pictures.get('TIDAL-VASE-MOSS'))
    expect(vase.href).toBe('/product/tidal-vase/?attribute_pa_color=moss')
  })

  it('knows the variation by its name in the language of the page', async () => {
    const html = await (await fetch(`${shop.url}/de/?s=moosgr%C3%BCn+vase&post_type=product`)).text()
    expect(html).toContain(`/media/${pictures.get('TIDAL-VASE-MOSS')}-`)
    expect(html).toContain('/de/product/tidal-vase/?attribute_pa_color=moss')
  })

  it('for a product shows the product', async () => {
    const vase = await shown('/?s=tidal+vase&post_type=product', 'tidal-vase')
    expect([vase.picture, vase.href]).toEqual([pictures.get('TIDAL-VASE'), '/product/tidal-vase/'])
  })
})
