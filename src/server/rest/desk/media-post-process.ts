import { mediaPostProcessInput, mediaRecord } from '#contract/catalog/rest-media.ts'
import { finishUpload } from '#shop/content/media-library.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { mediaPolicy, noSuchPicture, recordOf, refusedForLibrary } from './media-record.ts'

/** `POST wp/v2/media/{id}/post-process`: creates the missing sizes of an upload. Safe to repeat. */
export const mediaPostProcessCall = defineCall({
  ...mediaPolicy,
  name: 'media/:id/post-process',
  method: 'POST',
  input: mediaPostProcessInput,
  description: {
    summary: 'Create the missing sizes of an image',
    tag: 'media',
    body: mediaPostProcessInput,
    response: mediaRecord,
  },
  idempotency: 'natural',
  async answer(visit, { id }) {
    const refused = await refusedForLibrary(visit, 'rest_cannot_edit')
    if (refused) return refused
    const { tools, mediaFolder } = visit.app
    try {
      const row = await finishUpload(tools, mediaFolder, id)
      return row ? Response.json(recordOf(visit, row)) : noSuchPicture()
    } catch (error) {
      tools.log.warn({ media: id, error: String(error) }, 'image sizes could not be created')
      return refuse({ door: 'rest' }, 500, 'rest_upload_unfinished', 'The sizes of the picture could not be made.')
    }
  },
})
