import { lineName } from '#domain/orders/line-name.ts'
import type { OrderFacts } from '#shop/checkout/checkout-facts.ts'
import { priceText } from '../parts/currency/price.tsx'
import { includedTaxesText } from '../parts/orders/order-details.tsx'
import { type ShopContextValue, useShop } from '../parts/shared/shop-context.tsx'
import type { OrderMailContent } from './mail-content.ts'
import { Addresses, Button, Heading, Link, Paragraph, Quote, type Row, Rows } from './mail-parts.tsx'

/** The content of an order message below its lead. */
export function OrderMail({ content }: { content: OrderMailContent }) {
  const shop = useShop()
  const { t } = shop
  const { order, payUrl, refund, note, downloads, orderUrl, origin, spoken } = content
  const forShop = !content.kind.startsWith('customer_')
  return (
    <>
      {note !== null && <Quote text={note} />}
      {refund?.reason && <Quote text={refund.reason} />}
      {!forShop && payUrl && <Button text={t('Pay for this order')} url={payUrl} />}
      {!forShop && <Payment payment={content.payment} />}
      {downloads.length > 0 && (
        <>
          <Heading text={t('Your files')} />
          {downloads.map(({ name, url }) => (
            <Link key={url} text={name} url={url} />
          ))}
        </>
      )}
      <Heading text={t('Order %1$s of %2$s', order.number, content.date)} />
      <Rows rows={lineRows(shop, order, forShop)} continues />
      <Rows rows={totalRows(shop, order)} continued />
      {origin !== null && <Paragraph text={t('Origin: %s', origin)} small />}
      {spoken !== null && <Paragraph text={t('Language of the order: %s', spoken)} small />}
      {order.customerNote && (
        <>
          <Paragraph text={forShop ? t('Note from the customer:') : t('Your note:')} small />
          <Quote text={order.customerNote} />
        </>
      )}
      <Addresses
        list={[
          {
            title: t('Billing address'),
            lines: forShop ? [...order.billing, order.phone, order.email].filter(Boolean) : order.billing,
          },
          ...(order.shipping.length > 0 ? [{ title: t('Shipping address'), lines: order.shipping }] : []),
        ]}
      />
      {!forShop && !payUrl && <Button text={t('View your order')} url={orderUrl} />}
    </>
  )
}

/** The instructions for payments without a provider. */
function Payment({ payment }: { payment: OrderMailContent['payment'] }) {
  const { t } = useShop()
  if (!payment) return null
  return (
    <>
      {payment.text && <Paragraph text={payment.text} />}
      {payment.accounts.length > 0 && <Heading text={t('Our bank details')} />}
      {payment.accounts.map((account) => {
        const rows = [
          { label: t('Account name'), value: account.accountName },
          { label: t('Bank'), value: account.bankName },
          { label: t('Account number'), value: account.accountNumber },
          { label: t('Routing number'), value: account.sortCode },
          { label: t('IBAN'), value: account.iban },
          { label: t('BIC'), value: account.bic },
        ].filter(({ value }) => value !== '')
        return <Rows key={rows.map(({ value }) => value).join()} rows={rows} />
      })}
    </>
  )
}

/** Messages to the shop include the SKU, which does not change with the product's name. */
function lineRows(shop: ShopContextValue, order: OrderFacts, forShop: boolean): Row[] {
  return order.lines.map((line) => ({
    label: `${lineName(line)} × ${line.quantity}`,
    details: forShop && line.sku ? [`${shop.t('SKU:')} ${line.sku}`] : [],
    value: priceText(shop, line.subtotal),
  }))
}

function totalRows(shop: ShopContextValue, order: OrderFacts): Row[] {
  return order.totals.map(({ key, label, value }) => ({
    label,
    value: typeof value === 'string' ? value : priceText(shop, value),
    strong: key === 'order_total',
    note: key === 'order_total' ? includedTaxesText(shop, order) : '',
  }))
}
