import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { classNames } from '../shared/class-names.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'

/** The button of a product in a list: adds it directly when no choice is required, else links to its page. */
export function LoopButton({ product }: { product: ProductCardFacts }) {
  const { t, ajaxAdd } = useShop()
  const buyable = product.purchasable && product.stock !== 'outofstock'
  const adds = buyable && product.type === 'simple'
  const ajax = adds && ajaxAdd
  const { text, label } = buttonTexts(product, buyable, t)
  return (
    <a
      href={adds ? `?add-to-cart=${product.id}` : product.type === 'external' ? product.externalUrl : product.url}
      data-quantity="1"
      className={classNames(
        'button',
        `product_type_${product.type}`,
        buyable && 'add_to_cart_button',
        ajax && 'ajax_add_to_cart',
      )}
      data-product_id={product.id}
      data-product_sku={product.sku}
      aria-label={label}
      rel="nofollow"
      data-success_message={ajax ? t('“%s” has been added to your cart', product.name) : undefined}
      role={ajax ? 'button' : undefined}
    >
      {text}
    </a>
  )
}

/** Returns the text of the button, and the longer one that names the product. */
export function buttonTexts(
  product: Pick<ProductCardFacts, 'type' | 'name' | 'buttonText'>,
  buyable: boolean,
  t: ShopContextValue['t'],
): { text: string; label: string } {
  if (product.type === 'external') {
    const text = product.buttonText || t('Buy product')
    return { text, label: `${text}: “${product.name}”` }
  }
  if (product.type === 'grouped') {
    return { text: t('View products'), label: t('View products in the “%s” group', product.name) }
  }
  if (!buyable) return { text: t('Read more'), label: t('Read more about “%s”', product.name) }
  if (product.type === 'variable') {
    return { text: t('Select options'), label: t('Select options for “%s”', product.name) }
  }
  return { text: t('Add to cart'), label: t('Add to cart: “%s”', product.name) }
}
