import type { CartFacts, CartLineFacts } from '#shop/cart/cart-facts.ts'
import { anImage, usd } from '#tests/support/shared/page-fixtures.ts'

/** Makers of carts. */

export function aLine(over: Partial<CartLineFacts> = {}): CartLineFacts {
  return {
    key: 'c4ca4238a0b923820dcc509a6f75849b',
    productId: 41,
    variationId: null,
    sku: 'H-1',
    name: 'Tidal carafe',
    url: '/product/tidal-carafe/',
    image: anImage(),
    quantity: 2,
    maxQuantity: null,
    soldIndividually: false,
    choices: [{ label: 'Colour', value: 'Sea green' }],
    onBackorder: false,
    price: usd(6400),
    subtotal: usd(12800),
    removeUrl: '/cart/?remove_item=c4ca4238a0b923820dcc509a6f75849b&_wpnonce=0123456789',
    ...over,
  }
}

export function aCart(over: Partial<CartFacts> = {}): CartFacts {
  return {
    lines: [
      aLine(),
      aLine({
        key: 'eccbc87e4b5ce2fe28308fd9f2a7baf3',
        productId: 52,
        name: 'Linen tea towel',
        sku: 'L-2',
        url: '/product/linen-tea-towel/',
        image: anImage({ hash: 'towel', placeholder: '#c9d2cf' }),
        quantity: 1,
        choices: [],
        price: usd(1800),
        subtotal: usd(1800),
      }),
    ],
    count: 3,
    needsShipping: true,
    needsPayment: true,
    subtotal: usd(14600),
    totals: {
      subtotal: usd(14600),
      coupons: [
        {
          code: 'welcome10',
          label: 'Coupon: welcome10',
          discount: usd(1460),
          freeShipping: false,
          removeUrl: '/cart/?remove_coupon=welcome10',
        },
      ],
      packages: [
        {
          index: 0,
          contents: ['Tidal carafe × 2'],
          destination: 'San Francisco, CA 94110',
          rates: [
            { id: 'flat_rate:1', label: 'Standard', cost: usd(690), taxed: true, free: false, chosen: true },
            {
              id: 'local_pickup:2',
              label: 'Pick up in the shop',
              cost: usd(0),
              taxed: false,
              free: true,
              chosen: false,
            },
          ],
          missing: null,
        },
      ],
      fees: [],
      taxes: [{ code: 'US-CA-TAX-1', label: 'Sales tax', amount: usd(953) }],
      includedTaxes: [],
      total: usd(14783),
      estimatedFor: null,
    },
    hash: '3f0c',
    customer: { country: 'US', state: 'CA', city: 'San Francisco', postcode: '94110' },
    calculatedShipping: true,
    refusedPlace: null,
    ...over,
  }
}
