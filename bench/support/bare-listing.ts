import { readListingFilters } from '#contract/catalog/listing-query.ts'
import { connect } from '#database/engine/connect.ts'
import { followConfiguration } from '#server/operations/configuration/live-configuration.ts'
import { createTools } from '#server/operations/startup/create-tools.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { makeShopContext } from '#server/pages/shared/shop-context.ts'
import type { ListingFacts } from '#shop/catalog/catalog-facts.ts'
import { readListing } from '#shop/catalog/read-listing.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'

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
