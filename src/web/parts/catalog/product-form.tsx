import { Fragment } from 'react'
import type { ProductCardFacts, ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { Quantity } from '../cart/quantity.tsx'
import { PriceHtml } from '../currency/price.tsx'
import { WalletButtons } from '../payments/wallet-buttons.tsx'
import { Picture } from '../shared/picture.tsx'
import { rowHeader } from '../shared/row-header.ts'
import { useShop } from '../shared/shop-context.tsx'
import { LoopButton } from './loop-button.tsx'
import { formId } from './product-form-id.ts'
import { Stock } from './stock.tsx'
import { VariableForm } from './variation-form.tsx'

/** The cart form of a product of each type: a form that works without scripts. */
export function ProductForm({ product }: { product: ProductFacts }) {
  switch (product.type) {
    case 'variable':
      return <VariableForm product={product} />
    case 'grouped':
      return <GroupedForm product={product} />
    case 'external':
      return <ExternalForm product={product} />
    case 'simple':
      return <SimpleForm product={product} />
  }
}

function SimpleForm({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  if (!product.purchasable) return <Stock {...product} />
  if (product.stock === 'outofstock') return <Stock {...product} />
  return (
    <>
      <Stock {...product} />
      <form id={formId(product)} className="cart" action={product.url} method="post" encType="multipart/form-data">
        <Quantity
          id={`quantity_${product.id}`}
          name="quantity"
          productName={product.name}
          value={1}
          min={1}
          max={product.soldIndividually ? 1 : product.maxQuantity}
          fixed={product.soldIndividually || product.maxQuantity === 1}
        />
        <button type="submit" name="add-to-cart" value={product.id} className="single_add_to_cart_button button alt">
          {t('Add to cart')}
        </button>
      </form>
      <WalletButtons page="product" form={formId(product)} />
    </>
  )
}

function GroupedForm({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  const buyable = product.grouped.some(isBuyable)
  return (
    <form className="cart grouped_form" action={product.url} method="post" encType="multipart/form-data">
      <table className="woocommerce-grouped-product-list group_table">
        <tbody>
          {product.grouped.map((child) => (
            <GroupedRow key={child.id} child={child} />
          ))}
        </tbody>
      </table>
      {buyable && (
        <Fragment>
          <input type="hidden" name="add-to-cart" value={product.id} />
          <button type="submit" className="single_add_to_cart_button button alt">
            {t('Add to cart')}
          </button>
        </Fragment>
      )}
    </form>
  )
}

function isBuyable(child: ProductCardFacts): boolean {
  return child.type === 'simple' && child.purchasable && child.stock !== 'outofstock'
}

function GroupedRow({ child }: { child: ProductCardFacts }) {
  const { t, lowStockAmount } = useShop()
  const id = `quantity_${child.id}`
  return (
    <tr className="woocommerce-grouped-product-list-item">
      <td className="woocommerce-grouped-product-list-item__label" {...rowHeader}>
        {child.image && <Picture image={child.image} sizes="4rem" fallbackWidth={160} priority="visible" decorative />}
        <label htmlFor={isBuyable(child) ? id : undefined}>
          <a href={child.url}>{child.name}</a>
        </label>
      </td>
      <td className="woocommerce-grouped-product-list-item__price">
        <PriceHtml price={child.price} />
        {child.stock !== 'instock' && (
          <Stock stock={child.stock} stockQuantity={null} backorders="no" lowStockAmount={lowStockAmount} />
        )}
      </td>
      <td className="woocommerce-grouped-product-list-item__quantity">
        {!isBuyable(child) ? (
          <LoopButton product={child} />
        ) : child.soldIndividually ? (
          <input
            type="checkbox"
            id={id}
            name={`quantity[${child.id}]`}
            value="1"
            className="wc-grouped-product-add-to-cart-checkbox"
            aria-label={t('Buy one of %s', child.name)}
          />
        ) : (
          <Quantity id={id} name={`quantity[${child.id}]`} productName={child.name} value={0} min={0} max={null} />
        )}
      </td>
    </tr>
  )
}

function ExternalForm({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  const [address = '', query = ''] = product.externalUrl.split('?')
  return (
    <form className="cart" action={address} method="get">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="single_add_to_cart_button button alt">
        {product.buttonText || t('Buy product')}
      </button>
    </form>
  )
}
