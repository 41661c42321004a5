import { listingProps } from 'listing-tree'
import { ListingView } from './view.jsx'

export const dynamic = 'force-dynamic'

export default async function Page({ searchParams }) {
  return <ListingView {...(await listingProps(await searchParams))} />
}
