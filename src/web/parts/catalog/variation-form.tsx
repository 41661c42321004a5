import type { WireVariation } from '#contract/catalog/variation.ts'
import { fieldMessageId } from '#contract/notices/hooks.ts'
import { matchVariation } from '#domain/catalog/match-variation.ts'
import type { AttributeFacts, ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { attributeName, choosable, isBuyable } from '../../islands/catalog/variation-choice.ts'
import { BareIsland } from '../../islands/island.tsx'
import { Quantity } from '../cart/quantity.tsx'
import { FieldMessage, useFault } from '../notices/page-notices.tsx'
import { WalletButtons } from '../payments/wallet-buttons.tsx'
import { classNames } from '../shared/class-names.ts'
import { Html } from '../shared/html.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { formId } from './product-form-id.ts'
import { Swatches } from './swatches.tsx'
import { variationObject } from './variation-object.tsx'

/** The cart form of a variable product: without scripts the server finds the variation. */
export function VariableForm({ product }: { product: ProductFacts }) {
  const shop = useShop()
  const { t } = shop
  if (nothingLeft(product)) {
    return <p className="stock out-of-stock">{t('This product is currently out of stock and unavailable.')}</p>
  }
  const attributes = product.attributes.filter((attribute) => attribute.forVariations)
  const variations = product.variations.map((variation) => variationObject(shop, product, variation))
  const initial = initialVariation(attributes, variations)
  const trouble = !initial ? 'wc-variation-selection-needed' : isBuyable(initial) ? '' : 'wc-variation-is-unavailable'
  return (
    <>
      <BareIsland name="variation-form" when="interaction">
        <form
          id={formId(product)}
          className="variations_form cart"
          action={product.url}
          method="post"
          encType="multipart/form-data"
          data-product_id={product.id}
          data-product_variations={product.variationsInline ? JSON.stringify(variations) : 'false'}
        >
          <Choices attributes={attributes} />
          <div
            className="reset_variations_alert screen-reader-text"
            role="alert"
            aria-live="polite"
            aria-relevant="all"
          />
          <div className="single_variation_wrap">
            <div className="woocommerce-variation single_variation" role="alert" aria-relevant="additions">
              {initial && <VariationText variation={initial} />}
            </div>
            <div
              className={`woocommerce-variation-add-to-cart variations_button woocommerce-variation-add-to-cart-${trouble ? 'disabled' : 'enabled'}`}
            >
              <Quantity
                id={`quantity_${product.id}`}
                name="quantity"
                productName={product.name}
                value={1}
                min={1}
                max={initial && initial.max_qty !== '' ? initial.max_qty : null}
                fixed={product.soldIndividually}
              />
              <button
                type="submit"
                className={classNames('single_add_to_cart_button button alt', trouble && `disabled ${trouble}`)}
              >
                {t('Add to cart')}
              </button>
              <input type="hidden" name="add-to-cart" value={product.id} />
              <input type="hidden" name="product_id" value={product.id} />
              <input type="hidden" name="variation_id" className="variation_id" value={initial?.variation_id ?? 0} />
            </div>
          </div>
        </form>
      </BareIsland>
      <VariationTemplates />
      <WalletButtons page="product" form={formId(product)} />
    </>
  )
}

/**
 * Returns true if nothing can be bought. If the page does not include the variations, the product's own stock is their
 * total.
 */
function nothingLeft({ variationsInline, variations, stock, price }: ProductFacts): boolean {
  if (!variationsInline) return stock === 'outofstock' || price.kind === 'none'
  return variations.every((variation) => variation.stock === 'outofstock')
}

/** Returns the variation of the default options, if all are set. */
function initialVariation(
  attributes: readonly AttributeFacts[],
  variations: readonly WireVariation[],
): WireVariation | null {
  const chosen = Object.fromEntries(attributes.map(({ slug, defaultOption }) => [attributeName(slug), defaultOption]))
  return matchVariation(variations.map(choosable), Object.keys(chosen), chosen)?.wire ?? null
}

function Choices({ attributes }: { attributes: readonly AttributeFacts[] }) {
  const { t } = useShop()
  const anyChosen = attributes.some(({ defaultOption }) => defaultOption !== '')
  return (
    <table className="variations" role="presentation">
      <tbody>
        {attributes.map((attribute, place) => (
          <tr key={attribute.slug}>
            <th className="label">
              <label htmlFor={attribute.slug} id={labelId(attribute)}>
                {attribute.label}
              </label>
              {hasSwatches(attribute) && <ChosenName attribute={attribute} />}
            </th>
            <td className="value">
              {hasSwatches(attribute) && <Swatches attribute={attribute} labelledBy={labelId(attribute)} />}
              <Choice attribute={attribute} />
              {place === attributes.length - 1 && (
                <LinkButton
                  href="#"
                  className={classNames('reset_variations', anyChosen && 'is-visible')}
                  aria-label={t('Clear options')}
                >
                  {t('Clear')}
                </LinkButton>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Choice({ attribute: { slug, defaultOption, options } }: { attribute: AttributeFacts }) {
  const { t } = useShop()
  const invalid = useFault(slug) !== undefined
  return (
    <>
      <select
        id={slug}
        name={attributeName(slug)}
        data-attribute_name={attributeName(slug)}
        data-show_option_none="yes"
        defaultValue={defaultOption}
        aria-invalid={invalid || undefined}
        aria-describedby={invalid ? fieldMessageId(slug) : undefined}
      >
        <option value="">{t('Choose an option')}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value} className="attached enabled">
            {label}
          </option>
        ))}
      </select>
      <FieldMessage fieldId={slug} />
    </>
  )
}

const labelId = ({ slug }: AttributeFacts) => `${slug}-label`

/** Returns true if every option has a swatch: only then swatches represent a select. */
function hasSwatches({ options }: AttributeFacts): boolean {
  return options.length > 0 && options.every(({ swatch }) => swatch)
}

function ChosenName({ attribute: { options, defaultOption } }: { attribute: AttributeFacts }) {
  return <span className="swatch-chosen">{options.find(({ value }) => value === defaultOption)?.label}</span>
}

/** The same three blocks as the template for another chosen variation. */
function VariationText({ variation }: { variation: WireVariation }) {
  const { t } = useShop()
  if (!variation.variation_is_visible) return <p role="alert">{t(unavailable)}</p>
  return (
    <>
      <Html className="woocommerce-variation-description" html={variation.variation_description} />
      <Html className="woocommerce-variation-price" html={variation.price_html} />
      <Html className="woocommerce-variation-availability" html={variation.availability_html} />
    </>
  )
}

const unavailable = 'This combination cannot be bought at the moment. Please choose another one.'

/** The templates of a variation: filled by the shop's script, and by third-party ones. */
function VariationTemplates() {
  const { t } = useShop()
  const found = ['description', 'price', 'availability']
    .map((part) => {
      const field = part === 'description' ? 'variation_description' : `${part}_html`
      return `<div class="woocommerce-variation-${part}">{{{ data.variation.${field} }}}</div>`
    })
    .join('')
  const text = t(unavailable).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return (
    <>
      <Html as="script" type="text/template" id="tmpl-variation-template" html={found} />
      <Html
        as="script"
        type="text/template"
        id="tmpl-unavailable-variation-template"
        html={`<p role="alert">${text}</p>`}
      />
    </>
  )
}
