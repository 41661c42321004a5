import { describe, expect, it } from 'vitest'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { Application } from '../startup/application.ts'
import { loadOf } from './load-class.ts'

const own: ShopLanguage = { tag: 'en-US', slug: '', name: 'English', dir: 'ltr', published: true }
const german: ShopLanguage = { tag: 'de-DE', slug: 'de', name: 'Deutsch', dir: 'ltr', published: true }

/** A minimal shop that can classify addresses; its German has localized paths, unless they cannot be loaded. */
const shopIn = (languages: readonly ShopLanguage[], words: 'known' | 'away' = 'known') =>
  ({
    languages: () => languages,
    inLanguage: () => ({
      tools: {
        settings: { language: 'de-DE', languages: [{ tag: 'en-US' }, { tag: 'de-DE', slug: 'de' }] },
        pageSlugs: () => new Set<string>(),
        translator: async () => {
          if (words === 'away') throw new Error('the database does not answer')
          return {
            slug: (_: string, part: string) => Object.keys(spoken).find((word) => spoken[word] === part) ?? part,
            slugFrom: (_: string, part: string) => spoken[part],
          }
        },
      },
    }),
    // Other properties are never read.
  }) as unknown as Application
const spoken: Readonly<Record<string, string>> = { kasse: 'checkout', warenkorb: 'cart' }

describe('how soon a request is shed', () => {
  it.each([
    ['GET', '/', 'anonymous-page'],
    ['GET', '/shop/?min_price=3', 'anonymous-page'],
    ['GET', '/product/plain-mug/', 'anonymous-page'],
    ['POST', '/product/plain-mug/', 'cart'],
    ['GET', '/nothing/is/here', 'anonymous-page'],
    ['GET', '/my-account/orders/', 'personal-page'],
    ['GET', '/cart/', 'cart'],
    ['HEAD', '/cart/', 'cart'],
    ['POST', '/?wc-ajax=add_to_cart', 'cart'],
    ['POST', '/anywhere/?wc-ajax=checkout', 'checkout'],
    ['POST', '/?wc-ajax=no_such_call', 'anonymous-page'],
    ['POST', '/wp-admin/admin-ajax.php?action=woocommerce_checkout', 'checkout'],
    ['POST', '/wp-admin/admin-ajax.php', 'translation'],
    ['GET', '/checkout/', 'checkout'],
    ['GET', '/checkout/wallet-return/?token=1', 'checkout'],
    ['POST', '/wp-json/wc-ppcp/v1/cart/order', 'checkout'],
    ['POST', '/wp-json/wc-ppcp/v1/webhook', 'checkout'],
    ['POST', '/wp-json/wc-ppcp/v1/webhook/', 'checkout'],
    ['POST', '/?rest_route=/wc-ppcp/v1/cart/order', 'checkout'],
    ['GET', '/?rest_route=/wc/v3/orders/7', 'personal-page'],
    ['GET', '/?wp_statistics_hit=1', 'statistics'],
    ['GET', '/healthz', 'never'],
    ['GET', '/readyz', 'never'],
    ['GET', '/metrics', 'never'],
    ['GET', '/assets/main-abc.js', 'never'],
    ['GET', '/robots.txt', 'never'],
  ])('P9 %s %s by its route’s own word: %s', async (method, address, load) => {
    expect((await loadOf(shopIn([own]), method, address)).load).toBe(load)
  })

  it('P9 is the same in every language, and known by its language where its words are away', async () => {
    const asked = await loadOf(shopIn([own, german]), 'GET', '/de/kasse/')
    expect(asked).toMatchObject({ load: 'checkout', begins: true, language: 'de-DE' })
    expect(await loadOf(shopIn([own, german]), 'GET', '/de/warenkorb/?x=1')).toMatchObject({ load: 'cart' })
    expect(await loadOf(shopIn([own, german], 'away'), 'GET', '/de/kasse/')).toMatchObject({ language: 'de-DE' })
    expect(await loadOf(shopIn([own, german], 'away'), 'GET', '/de/checkout/')).toMatchObject({ load: 'checkout' })
    expect(await loadOf(shopIn([own, german]), 'GET', '/checkout/')).toMatchObject({ language: null })
  })

  it('P9 begins a checkout by its page alone', async () => {
    const begins = async (method: string, address: string) => (await loadOf(shopIn([own]), method, address)).begins
    expect(await begins('GET', '/checkout/')).toBe(true)
    expect(await begins('POST', '/checkout/')).toBe(false)
    expect(await begins('GET', '/checkout/wallet-return/')).toBe(false)
    expect(await begins('POST', '/?wc-ajax=checkout')).toBe(false)
  })
})
