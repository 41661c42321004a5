import { readListingFilters } from '#contract/listing-query.ts'
import { connect } from '#database/connect.ts'
import { createTools } from '#server/create-tools.ts'
import { systemEnvironment, systemLog } from '#server/environment.ts'
import { followConfiguration } from '#server/live-configuration.ts'
import { makeShopContext } from '#server/shop-context.ts'
import type { ListingFacts } from '#shop/catalog-facts.ts'
import { readListing } from '#shop/read-listing.ts'
import type { FrameFacts } from '#web/pages/document.tsx'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'

export type BareListing = {
  readonly shop: ShopContextValue
  /** @param query of the page's address */
  read(query?: Readonly<Record<string, string>>): Promise<{ facts: ListingFacts; frame: FrameFacts }>
}

/** What a listing is rendered from, without the server of the shop around it. */
export async function bareListing(connections: number): Promise<BareListing> {
  const environment = systemEnvironment(systemLog('error'))
  const db = connect(process.env.DATABASE_URL ?? '', { max: connections })
  const configuration = await followConfiguration(db, environment, () => {})
  const tools = createTools({
    environment,
    db,
    configuration,
    paypal: null,
    paymentEnvironment: 'sandbox',
    publicUrl: () => 'http://127.0.0.1',
    instance: 0,
  })
  return {
    shop: await makeShopContext({ tools }),
    async read(query = {}) {
      const filters = readListingFilters(new URLSearchParams(query))
      const facts = await readListing(tools, { kind: 'shop', filters })
      if (!facts) throw new Error('the bench shop has no listing')
      const frame: FrameFacts = {
        kind: 'listing',
        title: facts.title,
        description: '',
        canonical: '',
        bodyClasses: [],
        notices: [],
        settings: {},
        assets: { css: [], script: '', preload: [] },
      }
      return { facts, frame }
    },
  }
}
