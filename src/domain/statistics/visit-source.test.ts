import fc from 'fast-check'
import { expect, it } from 'vitest'
import { trackingOf } from '../attribution/tracker-options.ts'
import { trafficSource } from '../attribution/traffic-source.ts'
import { channels } from './channels.ts'
import { visitSource } from './visit-source.ts'

const from = (query: string, referrer: string) => visitSource(`https://shop.test/${query}`, referrer, 'shop.test')

it.each([
  ['', '', '(direct) (none) direct'],
  ['', 'https://shop.test/cart/', '(direct) (none) direct'],
  ['', 'https://sub.shop.test/a', '(direct) (none) direct'],
  ['?utm_source=news&utm_medium=email&utm_campaign=spring', '', 'news email email spring'],
  ['?utm_source=foo%20bar&utm_medium=cpc', '', 'foo bar cpc paid'],
  ['?utm_source=insta&utm_medium=social', '', 'insta social social'],
  ['?utm_source=flyer&utm_medium=qr', '', 'flyer qr campaign'],
  ['?gclid=1', '', 'google cpc paid google_cpc'],
  // Some mail programs still write Latin-1, which the tracker's cookies support too.
  ['?utm_source=news&utm_medium=email&utm_campaign=Fr%FChling', '', 'news email email Frühling'],
  ['?utm_source=', '', '(none) (none) campaign'],
  ['', 'https://www.google.co.uk/', 'google organic search'],
  ['', 'https://www.bing.com/search?q=x', 'bing organic search'],
  ['', 'https://duckduckgo.com/?q=x', 'duckduckgo.com referral search'],
  ['', 'https://l.facebook.com/', 'l.facebook.com referral social'],
  ['', 'https://t.co/abc', 'twitter.com referral social'],
  ['', 'https://mail.google.com/', 'mail.google.com referral email'],
  ['', 'android-app://com.google.android.gm/', 'com.google.android.gm referral email'],
  ['', 'https://blog.example.org/post/1?x=2', 'blog.example.org referral referral'],
  ['', 'https://notfacebook.com/', 'notfacebook.com referral referral'],
])('STAT-04 %s from %s counts as %s', (query, referrer, expected) => {
  const { source, medium, channel, campaign } = from(query, referrer)
  expect([source, medium, channel, campaign].join(' ').trim()).toBe(expected)
})

it('STAT-04 campaigns and search engines begin a visit while one is going on, other sites do not', () => {
  expect(from('?utm_source=a', '').overrides).toBe(true)
  expect(from('', 'https://www.google.com/').overrides).toBe(true)
  // A shopper who returns from a payment continues the visit.
  expect(from('', 'https://www.paypal.com/').overrides).toBe(false)
})

it('STAT-04 whatever is forged is one short line in a known channel, named as the attribution of orders names it', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('%', '%00', '%1b[31m', '|||', '\u202e', '\ud800'),
  )
  const long = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(long, long, long, (source, campaign, referrer) => {
      const href = `https://shop.test/?utm_source=${source}&utm_campaign=${campaign}`
      const found = visitSource(href, referrer, 'shop.test')
      expect(channels).toContain(found.channel)
      expect(found.source.length).toBeLessThanOrEqual(100)
      expect(found.campaign.length).toBeLessThanOrEqual(120)
      for (const text of [found.source, found.campaign, found.medium]) {
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028\u2029]/u)
      }
    }),
    { numRuns: 500 },
  )
})

it('STAT-04 a plain source has the very name that an order from it has', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9._-]{1,40}$/)
  fc.assert(
    fc.property(name, name, (source, host) => {
      const cookie = (query: string, referrer: string) =>
        trafficSource(
          { href: `https://shop.test/${query}`, referrer },
          { session: false, source: false },
          trackingOf({}, 'shop.test'),
        )?.src
      expect(from(`?utm_source=${source}`, '').source).toBe(cookie(`?utm_source=${source}`, ''))
      const referrer = `https://${host}.example/`
      expect(from('', referrer).source).toBe(cookie('', referrer))
    }),
  )
})
