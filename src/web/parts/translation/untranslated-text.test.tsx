import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { aProduct } from '#tests/support/catalog/product-page-fixtures.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { ProductMeta } from '../catalog/product-meta.tsx'
import { ShopProvider } from '../shared/shop-context.tsx'
import { UntranslatedText } from './untranslated-text.tsx'

const arabic = aShop({ language: 'ar', dir: 'rtl' })

describe('a code in a text that runs from right to left', () => {
  it('runs by itself: 20-OFF is no OFF-20', () => {
    const inArabic = renderToStaticMarkup(
      <ShopProvider value={arabic}>
        <UntranslatedText text="القسيمة: 20-off" part="20-off" />
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
