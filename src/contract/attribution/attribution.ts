import { dataNames, migrationsName } from '#domain/attribution/cookie-names.ts'
import type { TrackerOptions } from '#domain/attribution/tracker-options.ts'

/**
 * Attribution of an order on the wire: the cookies in the visitor's browser, the page's settings object
 * `wc_order_attribution`, and the hidden fields that a form posts. The names belong to the public interface: analytics
 * scripts read the cookies, extensions the object, the fields and the order's meta data.
 */

/** Prefix of each field's name in forms; the page's settings repeat it as `params.prefix`. */
export const attributionPrefix = 'wc_order_attribution_'

/** Prefix of a field in the meta data of an order or customer: `_wc_order_attribution_utm_source`. */
export const attributionMetaPrefix = `_${attributionPrefix}`

/** Form field → its place in the tracker's data: the cookie's name without `sbjs_`, a dot, the key in that cookie. */
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

/** The fields in form order. The cast is safe: an object's keys are its keys. */
export const attributionFieldNames = Object.keys(attributionFields) as AttributionField[]

/** Returns the field's name in a form. */
export const attributionInput = (field: AttributionField): string => attributionPrefix + field

/** The tracker's value for a missing property; such a field is not stored with an order. */
export const noAttribution = '(none)'

/** All cookies of the tracker. */
export const trackerCookies: readonly string[] = [migrationsName, ...dataNames].map((name) => `sbjs_${name}`)

/** The element with the hidden inputs: the server renders it empty into a form, the browser fills it. */
export const attributionElement = 'wc-order-attribution-inputs'

/**
 * The page's settings object `wc_order_attribution`. Both parts are nested, so that numbers and booleans keep their
 * types. `params` may also contain the tracker's further settings under their own names.
 */
export type AttributionScript = {
  readonly params: {
    /** Months of 30 days; below a minute: until the browser closes. */
    readonly lifetime: number
    /** Minutes without a page after which a visit ends. */
    readonly session: number
    readonly base64: boolean
    readonly ajaxurl: string
    readonly prefix: string
    /** True if visits may be stored without a consent banner; kept up to date in the browser. */
    allowTracking: boolean
    /** The consent category that decides where consent is required. */
    readonly consentCategory?: string
  } & TrackerOptions
  /** Field → its place in the tracker's data. */
  readonly fields: Readonly<Record<string, string>>
}
