import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { IslandRenderProvider } from '#web/islands/island-render.tsx'
import { ShopProvider } from './shop-context.tsx'
import { WalletButtons } from './wallet-buttons.tsx'

type Shop = Parameters<typeof ShopProvider>[0]['value']

function markup(element: React.ReactElement, wallet: Partial<NonNullable<Shop>['wallet']> = {}): string {
  const shop = {
    wallet: { enabled: true, sections: ['product', 'cart', 'checkout'], buttonPlacement: 'place_order', ...wallet },
    t: (text: string) => text,
    // Proof of the cast: the part reads these two alone.
  } as unknown as Shop
  return renderToStaticMarkup(
    <ShopProvider value={shop}>
      <IslandRenderProvider>{element}</IslandRenderProvider>
    </ShopProvider>,
  )
}

const noscriptIn = (html: string) => /<noscript>.*<\/noscript>/.exec(html)?.[0] ?? ''

describe('the place of the wallet buttons', () => {
  it('has the containers that extensions look for', () => {
    expect(markup(<WalletButtons page="cart" />)).toContain('id="wc-ppcp-cart-button-container"')
    expect(markup(<WalletButtons page="cart" />)).toContain('wc-ppcp-cart-payments__container')
    expect(markup(<WalletButtons page="product" />)).toContain('wc-ppcp-product-button-container')
    expect(markup(<WalletButtons page="checkout" />)).toContain('wc-ppcp-checkout-container')
  })

  it('loads nothing on a product page before a person is there, and does not wait on the way to pay', () => {
    const when = (page: 'product' | 'cart' | 'checkout') =>
      / when="(\w+)"/.exec(markup(<WalletButtons page={page} />))?.[1]
    expect([when('product'), when('cart'), when('checkout')]).toEqual(['presence', 'visible', 'visible'])
  })

  it('F34 pays by redirect without scripts, with the nonce of the cart', () => {
    const html = markup(<WalletButtons page="cart" nonce="n0" />)
    for (const part of ['action="/checkout/wallet-start/"', 'method="post"', 'value="n0"', 'name="wallet"']) {
      expect(noscriptIn(html)).toContain(part)
    }
  })

  it('F34 posts the product form without scripts', () => {
    const html = markup(<WalletButtons page="product" form="product-form" />)
    for (const part of [
      'form="product-form"',
      'formAction="/checkout/wallet-start/"',
      'formMethod="post"',
      'value="ppcp"',
    ]) {
      expect(noscriptIn(html)).toContain(part)
    }
    expect(markup(<WalletButtons page="product" />)).not.toContain('<noscript>')
  })

  it('is not there while the wallet is off, or not for this page', () => {
    expect(markup(<WalletButtons page="cart" />, { enabled: false })).toBe('')
    expect(markup(<WalletButtons page="cart" />, { sections: ['checkout'] })).toBe('')
  })

  it('writes no inline style or script, which the page policy forbids', () => {
    expect(markup(<WalletButtons page="checkout" />)).not.toMatch(/style=|<script|onclick/i)
  })
})
