import { mediaRecord, mediaUpdateInput } from '#contract/catalog/rest-media.ts'
import { findMedia } from '#database/catalog/media-rows.ts'
import { describePicture } from '#shop/content/media-library.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { mediaPolicy, noSuchPicture, recordOf, refusedForLibrary } from './media-record.ts'

/** `POST`, `PUT` or `PATCH wp/v2/media/{id}`: changes the texts of an image. */
export const mediaUpdateCall = defineCall({
  ...mediaPolicy,
  name: 'media/:id',
  method: 'POST',
  alsoMethods: ['PUT', 'PATCH'],
  input: mediaUpdateInput,
  description: { summary: 'Change the texts of an image', tag: 'media', body: mediaUpdateInput, response: mediaRecord },
  idempotency: 'natural',
  async answer(visit, { id, alt_text: alt }) {
    const refused = await refusedForLibrary(visit, 'rest_cannot_edit')
    if (refused) return refused
    const { tools } = visit.app
    const row = alt === undefined ? await findMedia(tools.db.kysely, id) : await describePicture(tools, id, alt)
    return row ? Response.json(recordOf(visit, row)) : noSuchPicture()
  },
})
