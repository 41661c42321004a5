import { z } from 'zod'
import { mediaRecord, mediaUploadFields } from '#contract/catalog/rest-media.ts'
import { restHeaders } from '#contract/shared/rest.ts'
import { urls } from '#contract/shared/urls.ts'
import { largestUploadBytes, uploadPicture } from '#shop/content/media-library.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { BadBody } from '../../http/request/body-limits.ts'
import { readUpload } from '../../http/request/uploaded-file.ts'
import type { Application } from '../../operations/startup/application.ts'
import { mediaPolicy, recordOf, refusedForLibrary } from './media-record.ts'

/** Maximum number of uploads in memory. */
const mostAtOnce = 3
const underWay = new WeakMap<Application['tools']['db'], number>()

/** `POST wp/v2/media`: uploads an image, as a form or as the body itself. */
export const mediaUploadCall = defineCall({
  ...mediaPolicy,
  name: 'media',
  method: 'POST',
  body: 'own',
  input: z.object({}),
  description: {
    summary: 'Upload an image',
    tag: 'media',
    body: mediaUploadFields,
    bodyTypes: ['multipart/form-data', 'image/*'],
    response: mediaRecord,
    status: 201,
  },
  // The same image again is the same entry.
  idempotency: 'natural',
  async answer(visit) {
    // Before the body is read: an unauthorized caller gets no memory for it.
    const refused = await refusedForLibrary(visit, 'rest_cannot_create')
    if (refused) return refused
    const { tools, mediaFolder } = visit.app
    const others = underWay.get(tools.db) ?? 0
    if (others >= mostAtOnce) {
      const text = 'Other pictures are being taken in. Please try again in a moment.'
      return refuse({ door: 'rest' }, 503, 'rest_upload_busy', text, { 'Retry-After': '5' })
    }
    underWay.set(tools.db, others + 1)
    try {
      const { bytes, name, fields } = await readUpload(visit.request, largestUploadBytes)
      const alt = (fields.alt_text ?? '').trim().slice(0, 1000)
      const result = await uploadPicture(tools, mediaFolder, { bytes, name, alt })
      if (result.ok) {
        const location = tools.publicUrl + urls.rest(`wp/v2/media/${result.media.id}`)
        return Response.json(recordOf(visit, result.media), { status: 201, headers: { Location: location } })
      }
      if (result.reason === 'no-picture') {
        return refuse({ door: 'rest' }, 400, 'rest_upload_invalid_image', `The file ${result.problem}.`)
      }
      return refuse({ door: 'rest' }, 500, 'rest_upload_unfinished', 'The sizes of the picture could not be made.', {
        [restHeaders.attachment]: String(result.media.id),
      })
    } catch (error) {
      if (!(error instanceof BadBody)) throw error
      const code = error.status === 413 ? 'rest_upload_file_too_big' : 'rest_upload_no_data'
      const text = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`
      return refuse({ door: 'rest' }, error.status, code, text)
    } finally {
      underWay.set(tools.db, (underWay.get(tools.db) ?? 1) - 1)
    }
  },
})
