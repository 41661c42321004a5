import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '#database/connect.ts'
import { createTools } from '#server/create-tools.ts'
import { systemEnvironment, systemLog } from '#server/environment.ts'
import { followConfiguration } from '#server/live-configuration.ts'
import { makeShopContext } from '#server/shop-context.ts'
import { readListing } from '#shop/read-listing.ts'
import { ListingPage } from '#web/pages/listing-page.tsx'
import { renderDocument } from '#web/pages/render.tsx'

/** The component tree of a listing by itself: facts read once, rendered anew for every request, sent as it is. */
const environment = systemEnvironment(systemLog('error'))
const db = connect(process.env.DATABASE_URL ?? '', { max: 2 })
const configuration = await followConfiguration(db, environment.log, () => {})
const tools = createTools({
  environment,
  db,
  configuration,
  paypal: null,
  paymentEnvironment: 'sandbox',
  publicUrl: () => 'http://127.0.0.1',
  instance: 0,
})
const shop = await makeShopContext({ tools })
const facts = await readListing(tools, { kind: 'shop' })
if (!facts) throw new Error('the bench shop has no listing')
const frame = {
  kind: 'listing',
  title: facts.title,
  description: '',
  canonical: '',
  bodyClasses: [],
  notices: [],
  settings: {},
  assets: { css: [], script: '', preload: [] },
} as const

const server = createServer((_, response) => {
  const bytes = Buffer.from(renderDocument(shop, frame, <ListingPage facts={facts} />))
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
