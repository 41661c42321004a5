import { mediaDeleteAnswer, mediaDeleteInput } from '#contract/catalog/rest-media.ts'
import { removePicture } from '#shop/content/media-library.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { mediaPolicy, noSuchPicture, recordOf, refusedForLibrary } from './media-record.ts'

/** `DELETE wp/v2/media/{id}?force=true`: deletes an unused image from the library. */
export const mediaDeleteCall = defineCall({
  ...mediaPolicy,
  name: 'media/:id',
  method: 'DELETE',
  input: mediaDeleteInput,
  description: {
    summary: 'Delete an unused image',
    tag: 'media',
    query: mediaDeleteInput,
    response: mediaDeleteAnswer,
  },
  idempotency: 'natural',
  async answer(visit, { id, force }) {
    const refused = await refusedForLibrary(visit, 'rest_cannot_delete')
    if (refused) return refused
    if (!['true', '1'].includes(String(force))) {
      const text = 'Pictures have no bin: say force=true to delete one for good.'
      return refuse({ door: 'rest' }, 501, 'rest_trash_not_supported', text)
    }
    const removed = await removePicture(visit.app.tools, visit.app.mediaFolder, id)
    if (removed.ok) return Response.json({ deleted: true, previous: recordOf(visit, removed.media) })
    if (removed.reason === 'unknown') return noSuchPicture()
    return refuse(
      { door: 'rest' },
      409,
      'rest_cannot_delete',
      'The picture is shown by a product, a category or a page.',
    )
  },
})
