import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const terms = '---\ntitle: Terms\n---\n\n## Payment\n\nPay within **ten days**. <script>alert(1)</script>\n'

async function aShopWith(settings: Record<string, unknown>): Promise<TestShop> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-terms-'))
  await writeFile(join(folder, 'terms.md'), terms)
  return aShop({ wallet: false, settings, contentFolder: folder })
}

async function checkoutOf(shop: TestShop): Promise<string> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  return shopper.openCheckout()
}
const blockIn = (html: string) => /<div class="woocommerce-terms-and-conditions"[^>]*>.*?<\/div>/s.exec(html)?.[0] ?? ''

describe('the terms at the checkout', () => {
  let shop: TestShop
  let without: TestShop
  beforeAll(async () => {
    ;[shop, without] = await Promise.all([aShopWith({}), aShopWith({ termsPage: false })])
  })
  afterAll(() => Promise.all([shop.close(), without.close()]))

  it('§2.9 CHK-09 the text of the page stands hidden above the box that agrees to it', async () => {
    const html = await checkoutOf(shop)
    const block = blockIn(html)
    expect(block).toContain(' hidden=""')
    expect(block).toContain('<p>Pay within <strong>ten days</strong>. &lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(html.indexOf(block)).toBeLessThan(html.indexOf('name="terms"'))
    expect(html).toMatch(/href="\/terms\/" class="woocommerce-terms-and-conditions-link"/)
  })

  it('§2.9 a heading of the text takes no id of the checkout', async () => {
    expect((await checkoutOf(shop)).match(/ id="payment"/g)).toHaveLength(1)
    expect(blockIn(await checkoutOf(shop))).toContain('<h2>Payment</h2>')
  })

  it('§2.9 a shop that asks for no agreement prints no terms', async () => {
    const html = await checkoutOf(without)
    expect([blockIn(html), html.includes('ten days')]).toEqual(['', false])
  })
})
