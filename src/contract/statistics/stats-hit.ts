import { z } from 'zod'
import { pageTypes } from './statistics.ts'

const longestPath = 512
const longestReferrer = 2_048

/** Decodes base64 of UTF-8, in either alphabet; null for any other text. */
function fromBase64(value: string): string | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) return null
  try {
    const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** As text or in base64, as third-party scripts send it. A path begins with a slash, which no base64 of a path does. */
const path = z
  .string()
  .max(longestPath * 4)
  .transform((value) => (value.startsWith('/') ? value : (fromBase64(value) ?? '')))
  .refine((value) => value.startsWith('/') && value.length <= longestPath, 'must be a path')
  // The query may contain personal data: a key, an address, a name. Only the presence of a search is kept.
  .transform((value) => /^[^?#]*(?:\?s=)?/.exec(value)?.[0] ?? '/')

/** Untrusted, and optional. */
const referrer = z
  .string()
  .catch('')
  .transform((value) =>
    value.length <= longestReferrer && /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value) ? value : '',
  )

/** `stats/hit`: a page view. Further parameters are those of the campaign, and unknown ones. */
export const statsHitInput = z.object({
  current_page_type: z.enum(pageTypes),
  current_page_id: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  page_uri: path,
  /** In base64. */
  search_query: z
    .string()
    .max(2_000)
    .default('')
    .transform((value) => fromBase64(value) ?? ''),
  current_currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .catch(''),
  referred: referrer.default(''),
})

export type StatsHitInput = z.output<typeof statsHitInput>

export type StatsHitAnswer = {
  readonly status: boolean
  readonly data: { readonly exclusion: false | { readonly exclusion_match: 'yes'; readonly exclusion_reason: string } }
  readonly message: string
}
