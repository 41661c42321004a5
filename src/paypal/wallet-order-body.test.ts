import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { fromAmount } from './amounts.ts'
import { purchaseUnit, type WalletLine, type WalletOrderFacts, walletOrderBody } from './wallet-order-body.ts'

const usd = (minor: number) => money(minor, 'USD')
const aLine = (line: Partial<WalletLine> = {}): WalletLine => ({
  name: 'Hat',
  sku: 'H1',
  quantity: 2,
  subtotal: usd(2000),
  virtual: false,
  ...line,
})
const anOrder = (facts: Partial<WalletOrderFacts> = {}): WalletOrderFacts => ({
  orderId: '1042',
  invoiceId: 'SHOP-1042-1',
  description: 'Order 1042',
  total: usd(3350),
  lines: [aLine()],
  shipping: usd(1000),
  tax: usd(450),
  discount: usd(100),
  fees: usd(0),
  shipTo: null,
  ...facts,
})

describe('the body of a wallet order', () => {
  it('lists items and parts that add up', () => {
    expect(purchaseUnit(anOrder())).toEqual({
      reference_id: 'default',
      custom_id: '1042',
      invoice_id: 'SHOP-1042-1',
      description: 'Order 1042',
      amount: {
        currency_code: 'USD',
        value: '33.50',
        breakdown: {
          item_total: { currency_code: 'USD', value: '20.00' },
          tax_total: { currency_code: 'USD', value: '4.50' },
          shipping: { currency_code: 'USD', value: '10.00' },
          discount: { currency_code: 'USD', value: '1.00' },
        },
      },
      items: [
        {
          name: 'Hat',
          sku: 'H1',
          quantity: '2',
          unit_amount: { currency_code: 'USD', value: '10.00' },
          category: 'PHYSICAL_GOODS',
        },
      ],
    })
  })

  it('puts a cent that rounding left over into handling, or into the discount when it is missing', () => {
    expect(purchaseUnit(anOrder({ total: usd(3351) })).amount.breakdown?.handling?.value).toBe('0.01')
    expect(purchaseUnit(anOrder({ total: usd(3349) })).amount.breakdown?.discount?.value).toBe('1.01')
  })

  it('sends the total alone when the parts miss it by more than rounding', () => {
    const unit = purchaseUnit(anOrder({ total: usd(3999) }))
    expect(unit.amount).toEqual({ currency_code: 'USD', value: '39.99' })
    expect(unit.items).toBeUndefined()
  })

  it('sells a line that does not split evenly as one piece', () => {
    const lines = [aLine({ quantity: 3 }), aLine({ name: 'Rope', quantity: 0.5, subtotal: usd(350) })]
    const { items } = purchaseUnit(anOrder({ lines, total: usd(3700) }))
    expect(items?.map(({ name, quantity, unit_amount }) => [name, quantity, unit_amount.value])).toEqual([
      ['Hat × 3', '1', '20.00'],
      ['Rope × 0.5', '1', '3.50'],
    ])
  })

  it('turns a line below zero and a negative fee into discount', () => {
    const unit = purchaseUnit(
      anOrder({ lines: [aLine(), aLine({ subtotal: usd(-300) })], fees: usd(-50), total: usd(3000) }),
    )
    expect(unit.amount.breakdown?.discount?.value).toBe('4.50')
    expect(unit.items).toHaveLength(1)
  })

  it('cuts names between characters, not inside one', () => {
    const [item] = purchaseUnit(anOrder({ lines: [aLine({ name: '🎩'.repeat(130) })] })).items ?? []
    expect([...(item?.name ?? '')]).toHaveLength(127)
    expect(item?.name.isWellFormed()).toBe(true)
  })

  it('refuses totals that cannot be charged', () => {
    expect(() => purchaseUnit(anOrder({ total: usd(0) }))).toThrow(RangeError)
    expect(() => purchaseUnit(anOrder({ total: money(100, 'KRW') }))).toThrow(RangeError)
  })

  it('says how the wallet returns', () => {
    const body = walletOrderBody(anOrder(), {
      brandName: 'Vitrine',
      shippingPreference: 'NO_SHIPPING',
      userAction: 'PAY_NOW',
      returnUrl: 'https://shop.test/r',
      cancelUrl: 'https://shop.test/c',
    })
    expect(body.payment_source).toMatchObject({
      paypal: { experience_context: { return_url: 'https://shop.test/r', user_action: 'PAY_NOW' } },
    })
  })

  it('I6 M8 whatever is sent adds up to the total to the last unit', () => {
    const line = fc.record({
      quantity: fc.integer({ min: 1, max: 40 }),
      minor: fc.integer({ min: -5000, max: 500_000 }),
    })
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: -500, max: 500 }),
        fc.integer({ min: -8, max: 8 }),
        fc.constantFrom('USD', 'JPY', 'HUF'),
        (lines, [tax = 0, shipping = 0, discount = 0], fee, off, currency) => {
          const figure = (minor: number) => money(minor, currency)
          const total = lines.reduce((sum, { minor }) => sum + minor, 0) + tax + shipping + fee - discount + off
          fc.pre(total > 0)
          const { amount, items = [] } = purchaseUnit(
            anOrder({
              total: figure(total),
              tax: figure(tax),
              shipping: figure(shipping),
              discount: figure(discount),
              fees: figure(fee),
              lines: lines.map(({ quantity, minor }) => aLine({ quantity, subtotal: figure(minor) })),
            }),
          )
          const minorOf = (part?: { currency_code: string; value: string }) =>
            part ? (fromAmount(part)?.minor ?? Number.NaN) : 0
          expect(minorOf(amount)).toBe(total)
          const parts = amount.breakdown
          if (!parts) return
          expect(items.reduce((sum, item) => sum + minorOf(item.unit_amount) * Number(item.quantity), 0)).toBe(
            minorOf(parts.item_total),
          )
          expect(
            minorOf(parts.item_total) +
              minorOf(parts.tax_total) +
              minorOf(parts.shipping) +
              minorOf(parts.handling) -
              minorOf(parts.discount),
          ).toBe(total)
          for (const part of Object.values(parts)) expect(minorOf(part)).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})
