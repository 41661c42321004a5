import { z } from 'zod'

/**
 * Values of another shop's REST answers. Plug-ins write numbers as texts, empty objects as lists and lists as objects:
 * these forms are accepted, and unknown members are ignored.
 */

export const sourceId = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,15}$/, 'must be a number')
        .transform(Number),
    ],
    'must be a number',
  )
  .pipe(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))

const longestText = 1_000_000

/** A text; '' if missing. */
export const sourceText = z
  .union(
    [z.string().max(longestText), z.number().transform(String), z.boolean().transform(() => ''), z.null()],
    'must be a text',
  )
  .optional()
  .transform((text) => text ?? '')

/** A text without surrounding white space. */
export const sourceWord = sourceText.transform((text) => text.trim())

/** A whole number or null. */
export const sourceInteger = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^[+-]?\d{1,15}(?:\.\d+)?$/, 'must be a number')
        .transform(Number),
      z.literal('').transform(() => null),
      z.null(),
    ],
    'must be a number',
  )
  .optional()
  .transform((number) => (number === undefined || number === null ? null : Math.trunc(number)))

export const sourceFlag = z
  .union(
    [
      z.boolean(),
      z.enum(['yes', 'no', '1', '0', 'true', 'false', '']).transform((word) => /^(?:yes|1|true)$/.test(word)),
      z.union([z.literal(0), z.literal(1)]).transform((digit) => digit === 1),
      z.null().transform(() => false),
    ],
    'must be true or false',
  )
  .optional()
  .transform((flag) => flag ?? false)

/** A list; an object counts as the list of its values, as PHP writes a list with gaps. */
export function sourceList<Item extends z.ZodType>(item: Item) {
  return z
    .union(
      [z.array(item), z.record(z.string(), item).transform((members) => Object.values(members)), z.null()],
      'must be a list',
    )
    .optional()
    .transform((list) => list ?? [])
}

/** An object; an empty list counts as an empty object. */
export function sourceObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape)
  return z.preprocess(
    (given) => (given === null || given === undefined || (Array.isArray(given) && given.length === 0) ? {} : given),
    object,
  )
}

/** A moment in UTC without an offset, or null: `2026-05-10T14:03:11`. */
export const sourceMoment = sourceWord.transform((text, context) => {
  if (text === '') return null
  const at = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  if (!Number.isNaN(at.getTime())) return at
  context.addIssue({ code: 'custom', message: 'must be a date like 2026-12-31T00:00:00' })
  return z.NEVER
})

/** A member of `meta_data`. */
export const sourceMeta = sourceList(z.object({ key: sourceText, value: z.unknown() }))

/** The ID of a record of unknown shape, for messages: '' without one. */
export function idOfRecord(record: unknown): string {
  if (typeof record !== 'object' || record === null || !('id' in record)) return ''
  return ['number', 'string'].includes(typeof record.id) ? String(record.id).slice(0, 40) : ''
}
