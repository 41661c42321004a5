import { comma } from '#domain/translation/comma.ts'
import type { ProductFacts } from '#shop/catalog-facts.ts'
import { type ShopContextValue, useShop } from './shop-context.tsx'

type Measured = Pick<ProductFacts, 'weightGrams' | 'dimensionsMm'>

/** A number as the language writes it, in Western digits as prices are. */
function written(value: number, language: string): string {
  const format =
    formats.get(language) ?? new Intl.NumberFormat(language, { numberingSystem: 'latn', useGrouping: false })
  formats.set(language, format)
  return format.format(value)
}

const formats = new Map<string, Intl.NumberFormat>()

/** Weight in kilograms as it is written: 0.4 kg. Empty when unknown. */
export function weightText({ weightGrams }: Measured, language: string): string {
  return weightGrams === null ? '' : `${written(weightGrams / 1000, language)} kg`
}

/** Length × width × height in centimetres. Empty when unknown. */
export function dimensionsText({ dimensionsMm }: Measured, language: string): string {
  if (!dimensionsMm) return ''
  const sides = [dimensionsMm.length, dimensionsMm.width, dimensionsMm.height].filter((side) => side > 0)
  return sides.length === 0 ? '' : `${sides.map((side) => written(side / 10, language)).join(' × ')} cm`
}

/** The rows of "Additional information": weight, dimensions and the visible attributes. */
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
