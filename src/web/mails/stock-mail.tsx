import { minusSign } from '#domain/money/format-amount.ts'
import { useShop } from '../parts/shared/shop-context.tsx'
import type { StockMailContent } from './mail-content.ts'
import { Button, Rows } from './mail-parts.tsx'

/** The product, its stock, and the sale that triggered the message. */
export function StockMail({ content: { product, onHand, orderNumber } }: { content: StockMailContent }) {
  const { t } = useShop()
  return (
    <>
      <Rows
        rows={[
          { label: t('Product'), value: product.name },
          ...(product.sku ? [{ label: t('SKU'), value: product.sku }] : []),
          { label: t('On hand'), value: String(onHand).replace('-', minusSign) },
          { label: t('Last sold with order'), value: orderNumber },
        ]}
      />
      {product.url && <Button text={t('View the product')} url={product.url} />}
    </>
  )
}
