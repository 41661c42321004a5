import { comma } from '#domain/translation/list-separator.ts'
import type { ProductFacts } from '#shop/catalog/catalog-facts.ts'
import { unitSign, writtenNumber } from '../shared/format-number.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'

type Measured = Pick<ProductFacts, 'weightGrams' | 'dimensionsMm'>

/** Returns the localized weight in kilograms: 0.4 kg. Empty when unknown. */
export function weightText({ weightGrams }: Measured, language: string): string {
  return weightGrams === null ? '' : `${writtenNumber(weightGrams / 1000, language)} ${unitSign('kilogram', language)}`
}

/** Returns length × width × height in centimetres. Empty when unknown. */
export function dimensionsText({ dimensionsMm }: Measured, language: string): string {
  if (!dimensionsMm) return ''
  const sides = [dimensionsMm.length, dimensionsMm.width, dimensionsMm.height].filter((side) => side > 0)
  if (sides.length === 0) return ''
  return `${sides.map((side) => writtenNumber(side / 10, language)).join(' × ')} ${unitSign('centimeter', language)}`
}

/** Returns the rows of "Additional information": weight, dimensions and the visible attributes. */
export function attributeRows(product: ProductFacts, { t, language }: Pick<ShopContextValue, 't' | 'language'>) {
  const rows = [
    { key: 'weight', label: t('Weight'), value: weightText(product, language) },
    { key: 'dimensions', label: t('Dimensions'), value: dimensionsText(product, language) },
    ...product.attributes
      .filter((attribute) => attribute.visible)
      .map((attribute) => ({
        key: `attribute_${attribute.slug}`,
        label: attribute.label,
        value: attribute.options.map((option) => option.label).join(comma(language)),
      })),
  ]
  return rows.filter((row) => row.value !== '')
}

/** The attributes table. */
export function ProductAttributes({ product }: { product: ProductFacts }) {
  const shop = useShop()
  return (
    <table className="woocommerce-product-attributes shop_attributes" aria-label={shop.t('Product details')}>
      <tbody>
        {attributeRows(product, shop).map((row) => (
          <tr
            key={row.key}
            className={`woocommerce-product-attributes-item woocommerce-product-attributes-item--${row.key}`}
          >
            <th className="woocommerce-product-attributes-item__label" scope="row">
              {row.label}
            </th>
            <td className="woocommerce-product-attributes-item__value">{row.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
