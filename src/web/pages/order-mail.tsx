import type { CSSProperties, ReactNode } from 'react'
import { urls } from '#contract/urls.ts'
import type { OrderFacts } from '#shop/checkout-facts.ts'
import type { OrderMailKind } from '#shop/jobs.ts'
import { priceText } from '../parts/price.tsx'
import { type ShopContextValue, useShop } from '../parts/shop-context.tsx'

// Mail readers know neither style sheets nor custom properties, so a mail carries its looks on its elements.
const look = {
  page: {
    margin: 0,
    padding: '32px 12px',
    background: '#f4f1ec',
    color: '#23211e',
    font: '16px/1.5 Georgia, "Times New Roman", serif',
  },
  card: { maxWidth: 600, margin: '0 auto', padding: '36px 32px', background: '#ffffff', borderRadius: 6 },
  brand: { margin: '0 0 28px', fontSize: 14, letterSpacing: '.12em', textTransform: 'uppercase', color: '#6d665c' },
  title: { margin: '0 0 12px', fontSize: 26, lineHeight: 1.2, fontWeight: 400 },
  table: { width: '100%', borderCollapse: 'collapse', margin: '24px 0' },
  cell: {
    padding: '10px 0',
    borderBottom: '1px solid #e7e2d9',
    textAlign: 'left',
    verticalAlign: 'top',
    fontWeight: 400,
  },
  amount: {
    padding: '10px 0 10px 16px',
    borderBottom: '1px solid #e7e2d9',
    textAlign: 'right',
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
  },
  small: { fontSize: 14, color: '#6d665c' },
  foot: { maxWidth: 600, margin: '20px auto 0', textAlign: 'center', fontSize: 13, color: '#6d665c' },
} satisfies Record<string, CSSProperties>

type MailFacts = { kind: OrderMailKind; order: OrderFacts; subject: string; publicUrl: string }

/** The message about an order as HTML. */
export function OrderMail({ kind, order, subject, publicUrl }: MailFacts) {
  const shop = useShop()
  const { t, name, language, dir } = shop
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={look.page}>
        <div style={look.card}>
          <p style={look.brand}>{name}</p>
          <h1 style={look.title}>{greeting(kind, order, shop)}</h1>
          <p>{lead(kind, shop)}</p>
          <table style={look.table}>
            <tbody>
              {order.lines.map((line) => (
                <tr key={`${line.productId}${line.name}${line.choices.map(({ value }) => value).join()}`}>
                  <th scope="row" style={look.cell}>
                    {line.name} × {line.quantity}
                    {line.choices.length > 0 && (
                      <div style={look.small}>
                        {line.choices.map((choice) => `${choice.label}: ${choice.value}`).join(', ')}
                      </div>
                    )}
                  </th>
                  <td style={look.amount}>{priceText(shop, line.subtotal)}</td>
                </tr>
              ))}
              {order.totals.map((row) => (
                <tr key={`${row.key}${row.label}`}>
                  <th scope="row" style={look.cell}>
                    {row.key === 'order_total' ? <strong>{row.label}</strong> : row.label}
                  </th>
                  <td style={look.amount}>
                    {typeof row.value === 'string' ? (
                      row.value
                    ) : row.key === 'order_total' ? (
                      <strong>{priceText(shop, row.value)}</strong>
                    ) : (
                      priceText(shop, row.value)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Address title={t('Billing address')} lines={order.billing} />
          {order.shipping.length > 0 && <Address title={t('Shipping address')} lines={order.shipping} />}
          {order.customerNote && (
            <p>
              <strong>{t('Note:')}</strong> {order.customerNote}
            </p>
          )}
          {kind !== 'new_order' && (
            <p>
              <a href={publicUrl + urls.orderReceived(order.id, order.key)}>{t('Look at your order')}</a>
            </p>
          )}
        </div>
        <p style={look.foot}>{t('%s sent you this message because of an order in its shop.', name)}</p>
      </body>
    </html>
  )
}

function Address({ title, lines }: { title: string; lines: readonly string[] }): ReactNode {
  return (
    <>
      <p style={{ ...look.small, margin: '16px 0 4px' }}>{title}</p>
      <p style={{ margin: 0 }}>
        {lines.map((line, index) => (
          <span key={line}>
            {index > 0 && <br />}
            {line}
          </span>
        ))}
      </p>
    </>
  )
}

function greeting(kind: OrderMailKind, order: OrderFacts, { t }: ShopContextValue): string {
  if (kind === 'new_order') return t('New order %s', order.number)
  return t('Thank you for your order %s', order.number)
}

function lead(kind: OrderMailKind, { t }: ShopContextValue): string {
  switch (kind) {
    case 'new_order':
      return t('It is paid or confirmed and waits to be fulfilled.')
    case 'customer_on_hold_order':
      return t(
        'Your order is recorded. The payment provider is still looking at the payment; we will write again when it arrives. You do not need to pay again.',
      )
    case 'customer_processing_order':
      return t('We have received your order and are getting it ready. Here is what you ordered:')
  }
}

/** The same message as plain text. */
export function orderMailText(
  shop: ShopContextValue,
  kind: OrderMailKind,
  order: OrderFacts,
  publicUrl: string,
): string {
  const { t, name } = shop
  const money = (value: OrderFacts['total'] | string) => (typeof value === 'string' ? value : priceText(shop, value))
  const lines = order.lines.flatMap((line) => [
    `${line.quantity} × ${line.name}  ${money(line.subtotal)}`,
    ...line.choices.map((choice) => `    ${choice.label}: ${choice.value}`),
  ])
  return [
    greeting(kind, order, shop),
    '',
    lead(kind, shop),
    '',
    ...lines,
    '',
    ...order.totals.map((row) => `${row.label}: ${money(row.value)}`),
    '',
    t('Billing address'),
    ...order.billing.map((line) => `  ${line}`),
    ...(order.shipping.length > 0 ? [t('Shipping address'), ...order.shipping.map((line) => `  ${line}`)] : []),
    ...(order.customerNote ? ['', `${t('Note:')} ${order.customerNote}`] : []),
    ...(kind === 'new_order' ? [] : ['', publicUrl + urls.orderReceived(order.id, order.key)]),
    '',
    `-- `,
    name,
    '',
  ].join('\n')
}
