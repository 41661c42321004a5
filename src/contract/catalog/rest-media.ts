import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'
import { mostPerPage, postProcessAction } from '../shared/rest.ts'

/** `GET wp/v2/media` */
export const mediaListInput = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(mostPerPage).default(10),
  search: z.string().trim().max(200).default(''),
  order: z.enum(['asc', 'desc']).default('desc'),
  media_type: z.literal('image').optional(),
})

export const mediaItemInput = z.object({ id })

/** `POST`, `PUT`, `PATCH wp/v2/media/{id}`: sets the alternative text of an image. */
export const mediaUpdateInput = z.object({ id, alt_text: z.string().trim().max(1000).optional() })

/** `DELETE wp/v2/media/{id}`: there is no trash, so `force` is required. */
export const mediaDeleteInput = z.object({ id, force: z.union([z.boolean(), z.string().max(10)]).optional() })

/** `POST wp/v2/media/{id}/post-process` */
export const mediaPostProcessInput = z.object({ id, action: z.literal(postProcessAction) })

const mediaSize = z.object({
  file: z.string(),
  width: z.number(),
  height: z.number(),
  mime_type: z.string(),
  source_url: z.string(),
})

/** An image in the library. `rendered` is markup. */
export const mediaRecord = z.object({
  id: z.number(),
  slug: z.string(),
  type: z.literal('attachment'),
  status: z.literal('inherit'),
  link: z.string(),
  title: z.object({ rendered: z.string() }),
  caption: z.object({ rendered: z.string() }),
  description: z.object({ rendered: z.string() }),
  alt_text: z.string(),
  media_type: z.literal('image'),
  mime_type: z.string(),
  media_details: z.object({
    width: z.number(),
    height: z.number(),
    file: z.string(),
    sizes: z.record(z.string(), mediaSize),
  }),
  post: z.null(),
  source_url: z.string(),
  /** The missing sizes of an unfinished upload. */
  missing_image_sizes: z.array(z.string()),
})

/** The fields of an upload; its file may also be the whole body, with its name in `Content-Disposition`. */
export const mediaUploadFields = z.object({
  file: z.any().meta({ type: 'string', format: 'binary' }),
  alt_text: z.string().optional(),
})

/** An image that was deleted, as it was. */
export const mediaDeleteAnswer = z.object({ deleted: z.literal(true), previous: mediaRecord })

export type MediaRecord = z.output<typeof mediaRecord>
