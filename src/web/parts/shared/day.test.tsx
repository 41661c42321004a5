import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { anOrder } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { OrderReceivedPage } from '../../pages/orders/order-received-page.tsx'
import { ViewOrderPage } from '../../pages/orders/view-order-page.tsx'
import { ShopProvider } from './shop-context.tsx'

describe('the day of an order', () => {
  const order = anOrder({ createdAt: new Date('2026-05-09T22:30:00Z') })
  const facts = {
    order,
    payUrl: null,
    cancelUrl: null,
    againUrl: null,
    notes: [{ at: order.createdAt, note: 'Sent.' }],
  }
  const pages = [
    ['that was received', <OrderReceivedPage key="" facts={{ kind: 'received', order, instructions: null }} />],
    ['of an account', <ViewOrderPage key="" facts={facts} logOutNonce="" />],
  ] as const
  const days = (timeZone: string, page: (typeof pages)[number][1]) => {
    const html = renderToStaticMarkup(
      <ShopProvider value={aShop({ language: 'de-DE', timeZone })}>{page}</ShopProvider>,
    )
    return [...html.matchAll(/<time[^>]*>([^<]*)</g)].map(([, day]) => day)
  }

  it.each(pages)('%s is that of the shop’s clock, wherever its server stands', (_, page) => {
    for (const [timeZone, day] of [
      ['Europe/Berlin', '10. Mai 2026'],
      ['America/New_York', '9. Mai 2026'],
    ] as const) {
      expect(new Set(days(timeZone, page))).toEqual(new Set([day]))
    }
  })
})
