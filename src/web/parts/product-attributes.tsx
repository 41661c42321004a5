import type { ProductFacts } from '#shop/catalog-facts.ts'
import { useShop } from './shop-context.tsx'

type Measured = Pick<ProductFacts, 'weightGrams' | 'dimensionsMm'>

/** Weight in kilograms as it is written: 0.4 kg. Empty when unknown. */
export function weightText({ weightGrams }: Measured): string {
  return weightGrams === null ? '' : `${weightGrams / 1000} kg`
}

/** Length × width × height in centimetres. Empty when unknown. */
export function dimensionsText({ dimensionsMm }: Measured): string {
  if (!dimensionsMm) return ''
  const sides = [dimensionsMm.length, dimensionsMm.width, dimensionsMm.height].filter((side) => side > 0)
  return sides.length === 0 ? '' : `${sides.map((side) => side / 10).join(' × ')} cm`
}

/** The rows of "Additional information": weight, dimensions and the visible attributes. */
export function attributeRows(product: ProductFacts, t: ReturnType<typeof useShop>['t']) {
  const rows = [
    { key: 'weight', label: t('Weight'), value: weightText(product) },
    { key: 'dimensions', label: t('Dimensions'), value: dimensionsText(product) },
    ...product.attributes
      .filter((attribute) => attribute.visible)
      .map((attribute) => ({
        key: `attribute_${attribute.slug}`,
        label: attribute.label,
        value: attribute.options.map((option) => option.label).join(', '),
      })),
  ]
  return rows.filter((row) => row.value !== '')
}

/** The attributes table. */
export function ProductAttributes({ product }: { product: ProductFacts }) {
  const { t } = useShop()
  return (
    <table className="woocommerce-product-attributes shop_attributes" aria-label={t('Product details')}>
      <tbody>
        {attributeRows(product, t).map((row) => (
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
