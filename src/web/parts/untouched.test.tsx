import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { aShop } from '../pages/fixtures.ts'
import { aProduct } from '../pages/product-fixtures.ts'
import { ProductMeta } from './product-meta.tsx'
import { ShopProvider } from './shop-context.tsx'
import { Untouched } from './untouched.tsx'

const arabic = aShop({ language: 'ar', dir: 'rtl' })

describe('a code in a text that runs from right to left', () => {
  it('runs by itself: 20-OFF is no OFF-20', () => {
    const inArabic = renderToStaticMarkup(
      <ShopProvider value={arabic}>
        <Untouched text="القسيمة: 20-off" part="20-off" />
      </ShopProvider>,
    )
    expect(inArabic).toBe('القسيمة: <span translate="no" dir="auto">20-off</span>')
  })

  it('and so does the number of a product', () => {
    const meta = renderToStaticMarkup(
      <ShopProvider value={arabic}>
        <ProductMeta product={aProduct({ sku: '12-AB' })} />
      </ShopProvider>,
    )
    expect(meta).toContain('<span class="sku" translate="no" dir="auto">12-AB</span>')
  })
})
