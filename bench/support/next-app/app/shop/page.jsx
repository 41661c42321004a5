import { listing } from 'listing-tree'

export const dynamic = 'force-dynamic'

export default async function Page({ searchParams }) {
  return listing(await searchParams)
}
