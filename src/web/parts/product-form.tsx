import { Fragment } from 'react'
import type { WireVariation } from '#contract/variation.ts'
import { matchVariation } from '#domain/catalog/match-variation.ts'
import type { ProductCardFacts, ProductFacts } from '#shop/catalog-facts.ts'
import { attributeName, choosable } from '#web/islands/catalog/variation-choice.ts'
import { type VariationAttribute, VariationForm, type VariationTexts } from '#web/islands/catalog/variation-form.tsx'
import { Island } from '#web/islands/island.tsx'
import { Html } from './html.tsx'
import { LoopButton } from './loop-button.tsx'
import { Picture } from './picture.tsx'
import { PriceHtml } from './price.tsx'
import { Quantity, quantityTexts } from './quantity.tsx'
import { type ShopContextValue, useShop } from './shop-context.tsx'
import { Stock } from './stock.tsx'
import { variationObject } from './variation-object.tsx'
import { WalletButtons } from './wallet-buttons.tsx'

/** How a product of each type gets into the cart: always a form that a browser can send by itself. */
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

/** Buttons that stand outside a product's form send it by this id. */
function formId(product: ProductFacts): string {
  return `product-form-${product.id}`
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

function VariableForm({ product }: { product: ProductFacts }) {
  const shop = useShop()
  const { t } = shop
  if (product.variations.length === 0 || product.variations.every((variation) => variation.stock === 'outofstock')) {
    return <p className="stock out-of-stock">{t('This product is currently out of stock and unavailable.')}</p>
  }
  const attributes = product.attributes
    .filter((attribute) => attribute.forVariations)
    .map(({ slug, label, options, defaultOption }) => ({ slug, label, options, defaultOption }))
  const variations = product.variations.map((variation) => variationObject(shop, product, variation))
  const json = product.variationsInline ? JSON.stringify(variations) : 'false'
  return (
    <>
      <Island
        name="variation-form"
        when="interaction"
        component={(props) => <VariationForm {...props} variations={json} />}
        props={{
          id: formId(product),
          productId: product.id,
          action: product.url,
          attributes,
          initial: initialVariation(attributes, variations),
          soldIndividually: product.soldIndividually,
          texts: variationTexts(product, t),
        }}
      />
      <VariationTemplates />
      <WalletButtons page="product" form={formId(product)} />
    </>
  )
}

/** What the default options lead to, when they are all there. */
function initialVariation(
  attributes: readonly VariationAttribute[],
  variations: readonly WireVariation[],
): WireVariation | null {
  const chosen = Object.fromEntries(attributes.map(({ slug, defaultOption }) => [attributeName(slug), defaultOption]))
  return matchVariation(variations.map(choosable), Object.keys(chosen), chosen)?.wire ?? null
}

function variationTexts(product: ProductFacts, t: ShopContextValue['t']): VariationTexts {
  return {
    choose: t('Choose an option'),
    clear: t('Clear'),
    clearLabel: t('Clear options'),
    addToCart: t('Add to cart'),
    quantity: quantityTexts(t, product.name),
    noMatch: t('There is no product with this combination. Please choose another one.'),
    makeSelection: t('Please choose the options of this product first.'),
    unavailable: t('This combination cannot be bought at the moment. Please choose another one.'),
    reset: t('Your choice was cleared. Please choose the options of this product.'),
  }
}

/** For scripts of the ecosystem that write a variation by themselves. */
function VariationTemplates() {
  const { t } = useShop()
  const found = ['description', 'price', 'availability']
    .map((part) => {
      const field = part === 'description' ? 'variation_description' : `${part}_html`
      return `<div class="woocommerce-variation-${part}">{{{ data.variation.${field} }}}</div>`
    })
    .join('')
  const unavailable = t('This combination cannot be bought at the moment. Please choose another one.')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
  return (
    <>
      <Html as="script" type="text/template" id="tmpl-variation-template" html={found} />
      <Html
        as="script"
        type="text/template"
        id="tmpl-unavailable-variation-template"
        html={`<p role="alert">${unavailable}</p>`}
      />
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
      <td className="woocommerce-grouped-product-list-item__label">
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
