import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ListingPage } from '#web/pages/catalog/listing-page.tsx'
import { renderDocument } from '#web/pages/shared/render.tsx'
import { bareListing } from './bare-listing.ts'

/** The component tree of a listing by itself: facts read once, rendered anew for every request, sent as it is. */
const { shop, read } = await bareListing(2)
const { facts, frame } = await read()

const server = createServer((_, response) => {
  const bytes = Buffer.from(renderDocument(shop, frame, <ListingPage facts={facts} />))
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
