import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { type ShopContextValue, ShopProvider } from '../shared/shop-context.tsx'
import { Amount, priceText } from './price.tsx'

const english = aShop()
const arabic = aShop({
  language: 'ar',
  dir: 'rtl',
  priceFormat: { ...english.priceFormat, position: 'right_space' },
})
const amountIn = (shop: ShopContextValue, minor: number, currency = 'USD') =>
  renderToStaticMarkup(
    <ShopProvider value={shop}>
      <Amount value={money(minor, currency)} />
    </ShopProvider>,
  )

describe('an amount in a text that runs from right to left', () => {
  it('is isolated and runs as the text does, its currency behind it and its minus sign before it', () => {
    expect(amountIn(arabic, -1250)).toBe(
      '<span class="woocommerce-Price-amount amount" translate="no"><bdi dir="rtl">\u200e\u221212.50\u00a0' +
        '<span class="woocommerce-Price-currencySymbol" translate="no">$</span></bdi></span>',
    )
    expect(priceText(arabic, money(-1250, 'USD'))).toBe('\u2067\u200e\u221212.50\u00a0$\u2069')
  })

  it('CUR-05 keeps a sign of several characters together: CA$ is no $CA', () => {
    const canadian = { ...arabic, currency: 'CAD', priceFormat: { ...arabic.priceFormat, symbol: 'CA$' } }
    expect(amountIn(canadian, 1250, 'CAD')).toContain('dir="auto">CA$</span>')
    expect(priceText(canadian, money(1250, 'CAD'))).toBe('\u206712.50\u00a0\u2068CA$\u2069\u2069')
    expect(amountIn({ ...canadian, dir: 'ltr' }, 1250, 'CAD')).toContain('translate="no">CA$</span>')
  })

  it('has a minus sign in text, and the hyphen of the contract in the row of a coupon', () => {
    const row = renderToStaticMarkup(
      <ShopProvider value={english}>
        <Amount value={money(-1250, 'USD')} hyphen />
      </ShopProvider>,
    )
    expect(row).toContain('<bdi>-<span')
    expect(amountIn(english, -1250)).not.toContain('-<span')
  })

  it('is written without any marks elsewhere', () => {
    expect(amountIn(english, -1250)).toContain('<bdi>\u2212<span')
    expect(priceText(english, money(-1250, 'USD'))).toBe('\u2212$12.50')
  })
})
