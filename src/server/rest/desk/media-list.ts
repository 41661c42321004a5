import { z } from 'zod'
import { mediaListInput, mediaRecord } from '#contract/catalog/rest-media.ts'
import { listMedia } from '#database/catalog/media-rows.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { pagingHeaders } from '../pagination-headers.ts'
import { mediaPolicy, recordOf, refusedForLibrary } from './media-record.ts'

/** `GET wp/v2/media`: lists the shop's images, in pages. */
export const mediaListCall = defineCall({
  ...mediaPolicy,
  name: 'media',
  method: 'GET',
  input: mediaListInput,
  description: { summary: 'List images', tag: 'media', query: mediaListInput, response: z.array(mediaRecord) },
  idempotency: 'safe',
  async answer(visit, { page, per_page: perPage, search, order }) {
    const refused = await refusedForLibrary(visit, 'rest_forbidden')
    if (refused) return refused
    const offset = (page - 1) * perPage
    const { rows, total } = await listMedia(visit.app.tools.db.kysely, { search, order, limit: perPage, offset })
    if (rows.length === 0 && page > 1) {
      return refuse({ door: 'rest' }, 400, 'rest_post_invalid_page_number', 'The list has fewer pages than that.')
    }
    const headers = pagingHeaders(visit, { page, perPage, total })
    return Response.json(
      rows.map((row) => recordOf(visit, row)),
      { headers },
    )
  },
})
