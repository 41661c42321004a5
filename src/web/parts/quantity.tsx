import { QuantityField } from '#web/islands/catalog/quantity-field.tsx'
import { type ShopContextValue, useShop } from './shop-context.tsx'

/** The words of a quantity field, for the parts here and for the islands that carry one. */
export function quantityTexts(t: ShopContextValue['t'], productName: string) {
  return {
    label: t('%s quantity', productName),
    decrease: t('Decrease quantity of %s', productName),
    increase: t('Increase quantity of %s', productName),
  }
}

export type QuantityProps = {
  id: string
  name: string
  productName: string
  value: number
  min: number
  max: number | null
  fixed?: boolean
}

/** How many pieces of a product. */
export function Quantity({ productName, ...field }: QuantityProps) {
  const { t } = useShop()
  return <QuantityField {...field} texts={quantityTexts(t, productName)} />
}
