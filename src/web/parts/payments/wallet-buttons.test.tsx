import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { IslandRenderProvider } from '../../islands/island-render.tsx'
import { ShopProvider } from '../shared/shop-context.tsx'
import { ExpressCheckout, MiniCartWalletTemplate, WalletButtons } from './wallet-buttons.tsx'

type Shop = Parameters<typeof ShopProvider>[0]['value']

const noSections = { paypal: [], paylater: [], card: [], venmo: [] }

function markup(element: React.ReactElement, wallet: Partial<NonNullable<Shop>['wallet']> = {}): string {
  const shop = {
    wallet: {
      enabled: true,
      sections: { ...noSections, paypal: ['product', 'cart', 'checkout'] },
      buttonsOrder: ['card', 'paypal'],
      buttonPlacement: 'place_order',
      ...wallet,
    },
    t: (text: string) => text,
    path: (path: string) => path,
    // Proof of the cast: the part reads only these three.
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

  it('loads nothing before a person is there, wherever it stands', () => {
    const when = (page: 'product' | 'cart' | 'checkout') =>
      / when="(\w+)"/.exec(markup(<WalletButtons page={page} />))?.[1]
    expect([when('product'), when('cart'), when('checkout')]).toEqual(['presence', 'presence', 'presence'])
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
    expect(markup(<WalletButtons page="cart" />, { sections: { ...noSections, paypal: ['checkout'] } })).toBe('')
  })

  it('BTN-01 BTN-02 keeps a place for each button that is wanted there, in order, and a template for the mini cart', () => {
    const sections = { ...noSections, paypal: ['cart', 'minicart'], card: ['cart'] }
    const slots = (html: string) => [...html.matchAll(/data-funding="(\w+)"/g)].map(([, funding]) => funding)
    expect(slots(markup(<WalletButtons page="cart" />, { sections }))).toEqual(['card', 'paypal'])
    expect(markup(<MiniCartWalletTemplate />, { sections })).toMatch(/^<template id="wc-ppcp-minicart-template">/)
    expect(slots(markup(<MiniCartWalletTemplate />, { sections }))).toEqual(['paypal'])
    expect(markup(<MiniCartWalletTemplate />)).toBe('')
  })

  it('BTN-02 BTN-09 has a place of its own above the checkout form, and one where a way to pay is saved', () => {
    const sections = { ...noSections, paypal: ['express', 'add_payment_method'] }
    const express = markup(<ExpressCheckout />, { sections })
    expect(express).toContain('id="wc-ppcp-express-button"')
    expect(express).toContain('data-page="express"')
    expect(markup(<ExpressCheckout />)).toBe('')
    expect(markup(<WalletButtons page="add_payment_method" />, { sections })).toContain(
      'wc-ppcp-add-payment-method-container',
    )
  })

  it('writes no inline style or script, which the page policy forbids', () => {
    expect(markup(<WalletButtons page="checkout" />)).not.toMatch(/style=|<script|onclick/i)
  })
})
