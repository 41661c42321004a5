import type { ReactElement } from 'react'
import type { PriceFacts } from '#shop/catalog/catalog-facts.ts'
import { PriceHtml } from '#web/parts/currency/price.tsx'

/** Returns the content of `.price`. */
export const priceHtml = (price: PriceFacts): ReactElement => <PriceHtml price={price} />
