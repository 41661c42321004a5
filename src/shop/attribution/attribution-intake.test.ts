import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributionFieldNames, attributionInput } from '#contract/attribution/attribution.ts'
import { trackedVisit } from '#domain/attribution/tracked-visit.ts'
import { readAttribution, storedAttribution } from './attribution-intake.ts'

const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148'

const posted = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [`wc_order_attribution_${field}`, value]))

/** Returns the cookies of a browser that has visited these addresses in order. */
function cookiesOf(...visits: { href: string; referrer?: string }[]): string {
  const jar = new Map<string, string>()
  for (const { href, referrer = '' } of visits) {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const document = { URL: href, referrer, cookie: cookies }
    const visit = { document, navigator: { userAgent: agent }, now: new Date(1_767_608_430_000), chance: () => 0 }
    for (const cookie of trackedVisit(visit, { timezone_offset: '0' })) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

describe('where an order came from', () => {
  it('ATTR-01 keeps every posted field under its own name', () => {
    const values = Object.fromEntries(attributionFieldNames.map((field, index) => [field, String(index)]))
    expect(attributionFieldNames).toHaveLength(16)
    expect(readAttribution(posted(values), '', agent)).toEqual({ ...values, device_type: 'Desktop' })
  })

  it('ATTR-01 leaves out what a visit does not have, and takes the agent from the header then', () => {
    const fields = posted({
      source_type: 'typein',
      utm_source: '(direct)',
      utm_medium: '(none)',
      referrer: '',
      session_pages: '3',
    })
    expect(readAttribution(fields, '', agent)).toEqual({
      source_type: 'typein',
      utm_source: '(direct)',
      session_pages: '3',
      user_agent: agent,
      device_type: 'Mobile',
    })
  })

  it('ATTR-05 keeps nothing of a visitor whose fields are empty, whatever cookies are left', () => {
    const empty = posted(Object.fromEntries(attributionFieldNames.map((field) => [field, ''])))
    const cookies = cookiesOf({ href: 'https://shop.test/?utm_source=news' })
    expect(readAttribution(empty, cookies, agent)).toEqual({})
    // A request without fields and cookies has no information: the stored attribution stays.
    expect(readAttribution({ payment_method: 'ppcp' }, '', agent)).toBeNull()
  })

  it('ATTR-01 reads the cookies of a purchase that has no form, and of every purchase how the first visit began', () => {
    const cookies = cookiesOf(
      { href: 'https://shop.test/?utm_source=news&utm_medium=email&utm_campaign=spring' },
      { href: 'https://shop.test/mug/', referrer: 'https://www.google.com/' },
    )
    const first = {
      source_type: 'utm',
      utm_source: 'news',
      utm_medium: 'email',
      utm_campaign: 'spring',
      session_entry: 'https://shop.test/?utm_source=news&utm_medium=email&utm_campaign=spring',
      session_start_time: '2026-01-05 10:20:30',
    }
    expect(readAttribution({}, cookies, agent)).toEqual({
      source_type: 'organic',
      utm_source: 'google',
      utm_medium: 'organic',
      referrer: 'https://www.google.com/',
      session_entry: 'https://shop.test/mug/',
      session_start_time: '2026-01-05 10:20:30',
      session_pages: '2',
      session_count: '1',
      user_agent: agent,
      device_type: 'Mobile',
      first,
    })
    expect(readAttribution(posted({ source_type: 'typein' }), cookies, '')).toEqual({
      source_type: 'typein',
      device_type: 'Desktop',
      first,
    })
  })

  it('stores what strangers send as plain text of bounded length', () => {
    const fields = posted({
      source_type: 'utm',
      utm_source: `<script>alert(1)</script>\u0000\u001b[31m\u202e${'x'.repeat(8192)}`,
      utm_campaign: `\ud800half\udc00`,
      utm_medium: ['a', 'b'],
      utm_term: { a: 'b' },
      session_pages: '-1',
      session_count: '9'.repeat(40),
      referrer: `https://evil.test/${'r'.repeat(8192)}`,
    })
    const kept = readAttribution(fields, '', agent)
    expect(kept).toEqual({
      source_type: 'utm',
      utm_source: expect.stringMatching(/^<script>alert\(1\)<\/script> \[31m x+$/),
      utm_campaign: 'half',
      referrer: expect.any(String),
      user_agent: agent,
      device_type: 'Mobile',
    })
    expect(kept?.utm_source?.length).toBeLessThanOrEqual(255)
    expect(kept?.referrer?.length).toBeLessThanOrEqual(2000)
  })

  it('takes any cookies and fields whatsoever, and what is kept reads back the same', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('%', '%E0%A4%A', '|||', 'typ=utm|||src=a%7C', '__proto__=1'),
    )
    const names = fc.constantFrom('current', 'current_add', 'first', 'first_add', 'session', 'udata')
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...attributionFieldNames.map(attributionInput), '__proto__'), fc.anything()),
        fc.array(fc.tuple(names, text), { maxLength: 8 }),
        text,
        (fields, cookies, userAgent) => {
          const header = cookies.map(([name, value]) => `sbjs_${name}=${value}`).join('; ')
          const kept = readAttribution(fields, header, userAgent)
          if (kept === null) return
          const stored = JSON.parse(JSON.stringify(kept)) as Record<string, unknown>
          expect(storedAttribution(stored)).toEqual(kept)
          // PostgreSQL accepts neither NUL nor lone surrogates in jsonb.
          expect(JSON.stringify(kept)).not.toMatch(/\\u0000|\\ud[89a-f]/)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reads back only what it knows', () => {
    const stored = { source_type: 'utm', utm_source: 7, device_type: 'Fridge', first: 'no', extra: 'x' }
    expect(storedAttribution(stored)).toEqual({ source_type: 'utm' })
  })
})
