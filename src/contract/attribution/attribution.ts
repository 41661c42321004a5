import { dataNames, migrationsName } from '#domain/attribution/cookie-names.ts'
import type { TrackerOptions } from '#domain/attribution/tracker-options.ts'

/**
 * Where an order came from, as it crosses the wire: the cookies that remember it in the visitor's browser, the page's
 * settings object `wc_order_attribution`, and the hidden fields that a form posts. The names are the public interface's:
 * analytics scripts read the cookies, extensions the object, the fields and the order's meta data.
 */

/** In front of each field's name in forms; the page's settings repeat it as `params.prefix`. */
export const attributionPrefix = 'wc_order_attribution_'

/** Where an order's or a customer's meta data keeps a field: `_wc_order_attribution_utm_source`. */
export const attributionMetaPrefix = `_${attributionPrefix}`

/** Field of a form → its place in the tracker's data: the cookie's name without `sbjs_`, a dot, the key in that cookie. */
export const attributionFields = {
  source_type: 'current.typ',
  referrer: 'current_add.rf',
  utm_campaign: 'current.cmp',
  utm_source: 'current.src',
  utm_medium: 'current.mdm',
  utm_content: 'current.cnt',
  utm_id: 'current.id',
  utm_term: 'current.trm',
  utm_source_platform: 'current.plt',
  utm_creative_format: 'current.fmt',
  utm_marketing_tactic: 'current.tct',
  session_entry: 'current_add.ep',
  session_start_time: 'current_add.fd',
  session_pages: 'session.pgs',
  session_count: 'udata.vst',
  user_agent: 'udata.uag',
} as const

export type AttributionField = keyof typeof attributionFields

/** The fields, in the order in which a form has them. The cast holds: an object's keys are its keys. */
export const attributionFieldNames = Object.keys(attributionFields) as AttributionField[]

/** The field's name in a form. */
export const attributionInput = (field: AttributionField): string => attributionPrefix + field

/** What the tracker writes where a visit has no such value; such a field is not kept with an order. */
export const noAttribution = '(none)'

/** All the tracker's cookies. */
export const trackerCookies: readonly string[] = [migrationsName, ...dataNames].map((name) => `sbjs_${name}`)

/** The element that holds the hidden inputs: the server writes it empty into a form, the browser fills it. */
export const attributionElement = 'wc-order-attribution-inputs'

/**
 * The page's settings object `wc_order_attribution`. Both parts are nested, so that numbers and booleans keep their types.
 * `params` may also carry the tracker's further settings by their own names.
 */
export type AttributionScript = {
  readonly params: {
    /** Months of 30 days; below a minute's worth: until the browser closes. */
    readonly lifetime: number
    /** Minutes without a page after which a visit ends. */
    readonly session: number
    readonly base64: boolean
    readonly ajaxurl: string
    readonly prefix: string
    /** Whether visits may be remembered where nobody is asked; kept up to date in the browser. */
    allowTracking: boolean
    /** Whose consent decides where visitors are asked. */
    readonly consentCategory?: string
  } & TrackerOptions
  /** Field → its place in the tracker's data. */
  readonly fields: Readonly<Record<string, string>>
}
