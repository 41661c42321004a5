import {
  type AttributionField,
  attributionFieldNames,
  attributionFields,
  attributionInput,
  noAttribution,
} from '#contract/attribution/attribution.ts'
import { type DeviceType, deviceTypeOf, deviceTypes } from '#domain/attribution/device-type.ts'
import { trackerData } from '#domain/attribution/tracked-visit.ts'

/** Fields by their names in the public interface; empty ones are left out. */
export type Touch = Partial<Record<AttributionField, string>>

/**
 * The stored attribution of an order or account. Empty: no consent. All texts are untrusted: they are displayed as
 * text, and control nothing.
 */
export type OrderAttribution = Touch & {
  device_type?: DeviceType
  /** The visitor's first visit, if the browser still has it. */
  first?: Touch
}

const longestUrl = 2000
const longestText = 255
const urlFields: ReadonlySet<AttributionField> = new Set(['referrer', 'session_entry'])
const countFields: ReadonlySet<AttributionField> = new Set(['session_pages', 'session_count'])

/** Cookies of the first visit that correspond to those of the last: `current` is `first`, `current_add` `first_add`. */
const firstOf: Readonly<Record<string, string>> = { current: 'first', current_add: 'first_add' }

/**
 * Reads the attribution from a form and the browser's cookies.
 *
 *
 * The form has attribution fields. They are empty without the visitor's consent, and then the cookies are ignored, too.
 * Express payments have no fields: their attribution comes from the cookies, which require consent. The first visit
 * comes from cookies alone: the public interface has no fields for it.
 * @param fields as posted, with any content
 * @param cookies the request's Cookie header, which may be forged
 * @param agent the request's User-Agent
 * @returns null if the request has no information
 */
export function readAttribution(
  fields: Readonly<Record<string, unknown>>,
  cookies: string,
  agent: string,
): OrderAttribution | null {
  const isPosted = attributionFieldNames.some((field) => fields[attributionInput(field)] !== undefined)
  const tracker = trackerValues(cookies)
  const last = touchOf((field) => (isPosted ? fields[attributionInput(field)] : tracker(attributionFields[field])))
  if (Object.keys(last).length === 0) return isPosted ? {} : null
  const first = touchOf((field) => {
    const [name = '', key = ''] = attributionFields[field].split('.')
    const ofFirst = firstOf[name]
    return ofFirst === undefined ? undefined : tracker(`${ofFirst}.${key}`)
  })
  const userAgent = last.user_agent ?? cleaned('user_agent', agent)
  return {
    ...last,
    ...(userAgent === '' ? {} : { user_agent: userAgent }),
    device_type: deviceTypeOf(userAgent),
    ...(Object.keys(first).length === 0 ? {} : { first }),
  }
}

/** Parses a stored attribution; unknown members are left out. */
export function storedAttribution(stored: Readonly<Record<string, unknown>>): OrderAttribution {
  const device = deviceTypes.find((known) => known === stored.device_type)
  const { first: before } = stored
  const first = typeof before === 'object' && before !== null ? keptTouch(before as Record<string, unknown>) : {}
  return {
    ...keptTouch(stored),
    ...(device ? { device_type: device } : {}),
    ...(Object.keys(first).length === 0 ? {} : { first }),
  }
}

const keptTouch = (stored: Readonly<Record<string, unknown>>) => touchOf((field) => stored[field])

function touchOf(given: (field: AttributionField) => unknown): Touch {
  const touch: Touch = {}
  for (const field of attributionFieldNames) {
    const value = cleaned(field, given(field))
    if (value !== '') touch[field] = value
  }
  return touch
}

/**
 * Returns a value without control and direction characters or lone surrogates, cut to its limit; '' for an empty one.
 */
function cleaned(field: AttributionField, value: unknown): string {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, urlFields.has(field) ? longestUrl : longestText)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  if (text === noAttribution) return ''
  return countFields.has(field) && !/^\d{1,9}$/.test(text) ? '' : text
}

/** Returns the values of the tracker's cookies by their place, `current.src`. */
function trackerValues(cookies: string): (place: string) => string | undefined {
  const data: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = trackerData(cookies)
  return (place) => {
    const [name = '', key = ''] = place.split('.')
    const values = data[name]
    return values && Object.hasOwn(values, key) ? values[key] : undefined
  }
}
