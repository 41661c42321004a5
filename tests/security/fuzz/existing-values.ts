import type { PeopledShop } from '#tests/security/support/people.ts'
import type { Known } from './inputs.ts'

/** What this shop really has: ids, codes and words by which an input comes farther than to the first refusal. */
export async function knownOf({ shop, things }: PeopledShop): Promise<Known> {
  const { sql } = shop.db
  const [mug, shirt, sand] = await Promise.all(['MUG', 'SHIRT', 'SHIRT-SAND'].map((sku) => shop.idOf(sku)))
  const [session] = await sql`select state->'lines'->0->>'key' as key from sessions where customer_id is null limit 1`
  const line = String(session?.key ?? '')
  const products = [mug, shirt, sand].map(Number)
  const ids = [...products, things.orderId, things.methodId, things.ownerId, things.managerId]
  const assets = Object.values(shop.shop.application.assets.css).map(String)
  const methods = ['ppcp', 'ppcp_card', 'bacs']
  const address = { city: 'Oakland', state: 'CA', postcode: '94607', country: 'US' }
  const forms = JSON.stringify({ '': { translated: 'Becher', revision: 0 } })
  return {
    values: [
      ...ids,
      ...[things.pictureId, things.originalId, line],
      ...['1', '2', 'on', 'yes', 'ten', 'TEN', 'US', 'CA', 'DE', '95131', 'de-DE', 'EUR', 'JPY', ...methods],
      ...['checkout', 'cart', 'product', 'order_pay', 'add_payment_method', 'billing', 'save', 'approve', 'regular'],
      ...[
        'other@example.test',
        'tangerine-otter-41',
        'translator@example.test',
        'flat_rate:1',
        '/shop/',
        'wc_order_x',
        'mug',
      ],
      ...['price', 'date', 'popularity', '2026-01-01', 'BA-ABC', '5O190127TN364715T', '["Cart","Mug"]'],
    ],
    byName: {
      action: ['trp_get_translations_regular', 'vitrine_rest_nonce', 'export', 'erase'],
      _fields: ['id', 'id,billing.email'],
      address: [address],
      after: ['2026-01-01T00:00:00'],
      before: ['2030-01-01'],
      modified_after: ['2026-01-01T00:00:00Z'],
      modified_before: ['2030-01-01T00:00:00+02:00'],
      include: [`${things.orderId}`],
      exclude: ['7'],
      customer: [things.ownerId, 0],
      seen_currency: ['USD'],
      offset: [0],
      all_languages: ['false'],
      original_language: ['en-US'],
      source_type: ['product', 'page'],
      page_uri: ['/shop/'],
      current_page_type: ['product', 'page'],
      current_page_id: [1],
      'add-to-cart': products,
      calc_shipping_country: ['US', 'DE'],
      cart: [{ [line]: { qty: '2' } }],
      cart_item_key: [line],
      context: ['checkout', 'cart', 'product', 'express'],
      coupon: ['ten'],
      coupon_code: ['ten', 'TEN', 'none'],
      currency: ['EUR', 'JPY', 'USD'],
      do: ['save', 'approve'],
      email: ['other@example.test'],
      fastlane: ['1', true, false],
      force: [true, 'true', false],
      form: [''],
      forms: [forms],
      history: ['de-DE'],
      id: [things.originalId, things.pictureId, things.managerId, things.orderId],
      ids: [JSON.stringify([things.originalId])],
      key: [things.orderKey, 'wc_order_x'],
      language: ['de-DE', 'ar', 'it-IT'],
      media_type: ['image'],
      order_id: [things.orderId, '5O190127TN364715T'],
      order_key: ['wc_order_x'],
      originals: [['Cart', 'Mug'], '["Cart"]'],
      page: [1, 2],
      payment_method: methods,
      per_page: [1, 10, 100],
      post_data: ['billing_country=US&billing_state=CA&billing_postcode=95131'],
      ppcp_paypal_order_id: ['5O190127TN364715T'],
      product_id: products,
      qty: [1, 2],
      quantity: ['1', '2'],
      revision: [0, 1, { '': '0' }],
      said: [{ '': 'Becher' }, { only: 'Becher' }],
      setup_token: ['5C991763VB2781612'],
      shipping_method: [{ 0: 'flat_rate:1' }, 'flat_rate:2'],
      skip_machine_translation: [[], '[]'],
      status: ['2', 'any', 'processing,completed'],
      to: [0, 1],
      variation: [{ attribute_pa_colour: 'sand' }],
      variation_id: [0, sand],
      woocommerce_meta: [{ coming_soon_banner_dismissed: 'yes' }],
    },
    parameters: {
      id: ids.map(String),
      slug: ['plain-mug', 'linen-shirt', 'canary-draft', 'about', 'contact', 'none'],
      tag: ['clay', 'none'],
      page: ['1', '2', '999999'],
      kind: ['billing', 'shipping', 'customer_invoice', 'new_order', 'none'],
      token: ['0'.repeat(32), 'a'.repeat(64), 'BA-ABC'],
      name: [`${'0'.repeat(32)}.json`, `${'0'.repeat(32)}.css`, 'visa.svg', `${'0'.repeat(64)}.svg`, 'main-x.css'],
      widths: ['700-900', '0-0', '99999999999-1'],
      file: [
        ...assets.map((file) => file.split('/').at(-1) ?? ''),
        'sitemap-products-1.xml',
        '..',
        `${'0'.repeat(16)}-320.webp`,
      ],
      '*': ['kitchen', 'kitchen/cups', 'kitchen/page/2', 'none'],
    },
  }
}
