import type { CheckoutFacts, FieldFacts, OrderFacts } from '#shop/checkout/checkout-facts.ts'
import { aCart } from '#tests/support/cart/cart-page-fixtures.ts'
import { usd } from '#tests/support/shared/page-fixtures.ts'

/** Makers of checkouts and of placed orders. */

export function aField(over: Partial<FieldFacts> & Pick<FieldFacts, 'id' | 'label'>): FieldFacts {
  return {
    labelHidden: false,
    placeholder: '',
    type: 'text',
    required: true,
    hidden: false,
    priority: 10,
    rowClasses: ['form-row-wide'],
    validate: [],
    autocomplete: '',
    value: '',
    options: [],
    ...over,
  }
}

const TOKENS: Readonly<Record<string, string>> = {
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  country: 'country',
  address_1: 'address-line1',
  address_2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postcode: 'postal-code',
  phone: 'tel',
  email: 'email',
}

function addressFields(set: 'billing' | 'shipping'): FieldFacts[] {
  const field = (key: string, label: string, over: Partial<FieldFacts>) =>
    aField({ id: `${set}_${key}`, label, autocomplete: `section-${set} ${set} ${TOKENS[key] ?? 'on'}`, ...over })
  return [
    field('first_name', 'First name', { priority: 10, rowClasses: ['form-row-first'] }),
    field('last_name', 'Last name', { priority: 20, rowClasses: ['form-row-last'] }),
    field('company', 'Company name', { priority: 30, required: false }),
    field('country', 'Country / Region', {
      type: 'country',
      priority: 40,
      rowClasses: ['form-row-wide', 'address-field', 'update_totals_on_change'],
      value: 'US',
      options: [
        { value: 'CA', label: 'Canada' },
        { value: 'US', label: 'United States' },
      ],
    }),
    field('address_1', 'Street address', {
      priority: 50,
      rowClasses: ['form-row-wide', 'address-field'],
      placeholder: 'House number and street name',
    }),
    field('address_2', 'Apartment, suite, unit, etc.', {
      priority: 60,
      rowClasses: ['form-row-wide', 'address-field'],
      required: false,
      labelHidden: true,
      placeholder: 'Apartment, suite, unit, etc. (optional)',
    }),
    field('city', 'Town / City', { priority: 70, rowClasses: ['form-row-wide', 'address-field'] }),
    field('state', 'State', {
      type: 'state',
      priority: 80,
      rowClasses: ['form-row-first', 'address-field'],
      validate: ['state'],
      value: 'CA',
      options: [
        { value: 'CA', label: 'California' },
        { value: 'OR', label: 'Oregon' },
      ],
    }),
    field('postcode', 'ZIP Code', {
      priority: 90,
      rowClasses: ['form-row-last', 'address-field'],
      validate: ['postcode'],
    }),
    ...(set === 'billing'
      ? [
          field('phone', 'Phone', { type: 'tel', priority: 100, validate: ['phone'] }),
          field('email', 'Email address', { type: 'email', priority: 110, validate: ['email'] }),
        ]
      : []),
  ]
}

export function aCheckout(over: Partial<CheckoutFacts> = {}): CheckoutFacts {
  return {
    cart: aCart(),
    billing: addressFields('billing'),
    shipping: addressFields('shipping'),
    order: [
      aField({
        id: 'order_comments',
        label: 'Order notes',
        type: 'textarea',
        required: false,
        placeholder: 'Notes about your order, e.g. for delivery.',
        rowClasses: ['notes'],
      }),
    ],
    account: null,
    shipToDifferent: false,
    methods: [
      {
        id: 'ppcp',
        title: 'PayPal',
        description: 'Pay with your wallet. You confirm in a small window.',
        orderButtonText: 'Pay with PayPal',
        chosen: true,
      },
      {
        id: 'cod',
        title: 'Cash on delivery',
        description: 'Pay when it arrives.',
        orderButtonText: 'Place order',
        chosen: false,
      },
    ],
    methodsChangeTotal: false,
    terms: true,
    termsAccepted: false,
    intention: '5d3b1a52-3d55-4c1e-9b4a-0f6f3f3f1a11',
    ready: null,
    ...over,
  }
}

export function anOrder(over: Partial<OrderFacts> = {}): OrderFacts {
  return {
    id: 1042,
    number: '1042',
    key: 'wc_order_k3yk3yk3y',
    status: 'processing',
    paymentState: 'captured',
    createdAt: new Date('2031-05-04T10:20:00Z'),
    email: 'ada@example.test',
    currency: 'USD',
    lines: [
      {
        productId: 41,
        name: 'Tidal carafe',
        url: '/product/tidal-carafe/',
        sku: 'H-1',
        quantity: 2,
        choices: [{ label: 'Colour', value: 'Sea green' }],
        subtotal: usd(12800),
        total: usd(12800),
      },
    ],
    totals: [
      { key: 'cart_subtotal', label: 'Subtotal:', value: usd(12800) },
      { key: 'shipping', label: 'Shipping:', value: 'Standard' },
      { key: 'payment_method', label: 'Payment method:', value: 'PayPal' },
      { key: 'order_total', label: 'Total:', value: usd(13490) },
    ],
    includedTaxes: [],
    total: usd(13490),
    billing: ['Ada Lind', '12 Harbour Street', 'San Francisco, CA 94110'],
    shipping: ['Ada Lind', '12 Harbour Street', 'San Francisco, CA 94110'],
    phone: '+1 415 555 0100',
    customerNote: '',
    paymentMethod: 'ppcp',
    paymentMethodTitle: 'PayPal',
    ...over,
  }
}
