import { fillIn } from '#domain/translation/message.ts'
import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'
import { ListingPage } from '#web/pages/catalog/listing-page.tsx'
import { Document, type FrameFacts } from '#web/pages/shared/document.tsx'
import { type ShopContextValue, ShopProvider } from '#web/parts/shared/shop-context.tsx'

/** What of the shop goes to the browser: what can be written down, and a listing reads. */
export type WrittenShop = Omit<ShopContextValue, keyof typeof notWritten>

const notWritten = {
  path: (path: string) => path,
  t: (original: string, ...values: readonly (string | number)[]) => fillIn(original, values),
  n: (count: number, one: string, many: string, ...values: readonly (string | number)[]) =>
    fillIn(count === 1 ? one : many, [count, ...values]),
  shippingCountries: [],
  states: {},
}

export type ListingViewProps = { shop: WrittenShop; frame: FrameFacts; facts: ListingFacts }

/** The listing as one client component: all of it is hydrated. */
export function ListingView({ shop, frame, facts }: ListingViewProps) {
  return (
    <ShopProvider value={{ ...shop, ...notWritten }}>
      <Document frame={frame}>
        <ListingPage facts={facts} />
      </Document>
    </ShopProvider>
  )
}
