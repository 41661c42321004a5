import type { ReactElement } from 'react'
import { ListingPage } from '#web/pages/catalog/listing-page.tsx'
import { Document } from '#web/pages/shared/document.tsx'
import { ShopProvider } from '#web/parts/shared/shop-context.tsx'
import { bareListing } from '../bare-listing.ts'
import type { ListingViewProps } from './listing-view.tsx'

type Query = Readonly<Record<string, string>>

/** As many connections as the shop itself has. */
const ready = bareListing(20)

/** The listing as a server component: the shop's own components, the facts of 24 products read for every request. */
export async function listing(query: Query): Promise<ReactElement> {
  const { shop, read } = await ready
  const { facts, frame } = await read(query)
  return (
    <ShopProvider value={shop}>
      <Document frame={frame}>
        <ListingPage facts={facts} />
      </Document>
    </ShopProvider>
  )
}

/** What the same takes as a client component. */
export async function listingProps(query: Query): Promise<ListingViewProps> {
  const { shop, read } = await ready
  const { t: _, n: __, path: ___, shippingCountries: ____, states: _____, ...written } = shop
  return { shop: written, ...(await read(query)) }
}
