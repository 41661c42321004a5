import { mediaItemInput, mediaRecord } from '#contract/catalog/rest-media.ts'
import { findMedia } from '#database/catalog/media-rows.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { mediaPolicy, noSuchPicture, recordOf, refusedForLibrary } from './media-record.ts'

/** `GET wp/v2/media/{id}` */
export const mediaItemCall = defineCall({
  ...mediaPolicy,
  name: 'media/:id',
  method: 'GET',
  input: mediaItemInput,
  description: { summary: 'Read an image', tag: 'media', query: mediaItemInput, response: mediaRecord },
  idempotency: 'safe',
  async answer(visit, { id }) {
    const refused = await refusedForLibrary(visit, 'rest_forbidden')
    if (refused) return refused
    const row = await findMedia(visit.app.tools.db.kysely, id)
    return row ? Response.json(recordOf(visit, row)) : noSuchPicture()
  },
})
