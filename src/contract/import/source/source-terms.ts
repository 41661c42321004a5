import { z } from 'zod'
import { sourceId, sourceInteger, sourceText, sourceWord } from './source-values.ts'

/** Categories, tags, brands, attributes and classes as another shop's REST v3 writes them. */

const name = sourceWord.refine((text) => text !== '', 'must not be empty')

/** A category or a brand. */
export const sourceTreeTerm = z.object({
  id: sourceId,
  name,
  slug: sourceWord,
  /** The ID of the term above; 0 or null for none. */
  parent: sourceInteger.transform((id) => id || null),
  description: sourceText,
  image: z
    .object({ src: sourceWord })
    .nullish()
    .catch(null)
    .transform((image) => image?.src || null),
  menu_order: sourceInteger,
})

export type SourceTreeTerm = z.output<typeof sourceTreeTerm>

/** A tag, a shipping class or a term of an attribute. */
export const sourceTerm = z.object({
  id: sourceId,
  name,
  slug: sourceWord,
  description: sourceText,
  menu_order: sourceInteger,
})

export type SourceTerm = z.output<typeof sourceTerm>

export const sourceAttribute = z.object({
  id: sourceId,
  name,
  /** With the prefix `pa_`. */
  slug: sourceWord,
  order_by: sourceWord,
})

export type SourceAttribute = z.output<typeof sourceAttribute>
