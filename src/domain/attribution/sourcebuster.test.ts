import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CookieJar, dateClass, type FakePage, sourcebuster } from '#tests/support/attribution/fake-page.ts'
import { trackedVisit, trackerData } from './tracked-visit.ts'
import { type TrackerOptions, trackingOf } from './tracker-options.ts'
import { addressParts } from './url-parts.ts'

/** A visitor's step: the time since the last one, the page, the referrer, and cookies that were forged before. */
type Step = { gap: number; href: string; referrer: string; forged: readonly [name: string, value: string][] }
type Walk = { options: TrackerOptions; minutesAheadOfUtc: number; agent: string; chance: number; steps: Step[] }
type Before = { cookies: string; step: Step; walk: Walk; after: string; writes: readonly string[] }

const namesIn = (query: string) => query.split('&').map((piece) => piece.split('=')[0] ?? '')
const queryOf = (address: string) => addressParts(address)[2]

/** Intended differences. No others are allowed; after such a page both continue with the same cookies. */
const exceptions: Readonly<Record<string, (before: Before) => boolean>> = {
  'the shop knows four more parameters of campaigns': ({ step }) =>
    namesIn(queryOf(step.href)).some((name) =>
      /^utm_(id|source_platform|creative_format|marketing_tactic)$/.test(name),
    ),
  'an empty content or term of a campaign stays empty in the shop': ({ step }) =>
    /(?:[?&])utm_(?:content|term)=(?:&|=|#|$)/.test(step.href),
  'a parameter named as what every object has makes theirs throw': ({ step }) =>
    [step.href, step.referrer].some((address) => namesIn(queryOf(address)).some((name) => name in {})),
  'a parameter named false counts as a campaign of theirs while no further name is set': ({ step, walk }) =>
    !walk.options.campaign_param && namesIn(queryOf(step.href)).includes('false'),
  'an @ in a path is no end of a user name': ({ step }) => /^[\w-]+:\/\/[^/?#]*[/?#].*@/.test(step.referrer),
  'a host in brackets is one': ({ step }) => addressParts(step.referrer)[0].startsWith('['),
  'a search without a query has no words, whatever the page has in its own': ({ step }) =>
    /yandex\.\w+\/?$/i.test(addressParts(step.referrer)[0]) && queryOf(step.referrer) === '',
  'a referrer without a path came from the path /': ({ step }) =>
    step.referrer !== '' && addressParts(step.referrer)[1] === '',
  'where the current source is gone, theirs writes the word null, or nothing': ({ writes }) =>
    /^sbjs_current=(?:null)?;/.test(writes.findLast((one) => one.startsWith('sbjs_current=')) ?? ''),
  'the browser refuses the cookies of a domain that the page is not below, and theirs reads what is left': ({
    step,
    walk,
  }) => {
    const { host } = trackingOf(walk.options, addressParts(step.href)[0])
    return !`.${addressParts(step.href)[0]}`.endsWith(`.${host}`)
  },
  'a cookie of the domain above hides what was just written here, and theirs takes it for that': ({ after, writes }) =>
    /sbjs_current=.*sbjs_current=/.test(after) && writes.some((one) => /^sbjs_(?:first|migrations)=/.test(one)),
  'half a character in a cookie makes theirs throw, or its migration fail': ({ cookies }) =>
    /%uD[89a-f]/i.test(decodeURIComponent(cookies.replace(/%(?!25)/g, '%25'))),
  'what may be base64 is read as such': ({ cookies }) =>
    cookies.split('; ').some((one) => one.startsWith('sbjs_') && /^[^=]+=[A-Za-z\d+/]+$/.test(one)),
  'a long cookie loses its end, so that a link cannot fill a request with cookies': ({ cookies, writes }) =>
    [...cookies.split('; '), ...writes].some(
      (one) => one.split(';')[0] !== undefined && (one.split(';')[0] ?? '').length > 1180,
    ),
  'half an hour of the visitor’s zone is not lost where the dates are in another': ({ walk }) =>
    walk.minutesAheadOfUtc % 60 !== 0 && Boolean(walk.options.timezone_offset),
}

const from = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const rarely = <T, N>(value: fc.Arbitrary<T>, otherwise: N, weight = 1) =>
  fc.oneof({ weight, arbitrary: value }, { weight: 9, arbitrary: fc.constant(otherwise) })

const text = from(
  '',
  'news',
  'a b',
  'foo%20bar',
  '100%25',
  '%257C',
  '%21%7E',
  'a+b',
  '%D0%9F',
  '%E3%81%82',
  '%FF',
  '%',
  '(x)',
  "it's*",
  'a|b',
  'a|||src',
  '~!',
  'x'.repeat(40),
)
const name = fc.oneof(
  {
    weight: 12,
    arbitrary: from('utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'yclid'),
  },
  { weight: 4, arbitrary: from('ref', 'cmp', 'UTM_SOURCE', 'fbclid', 'msclkid', 'text', 'q', '') },
  { weight: 1, arbitrary: from('false', 'constructor', '__proto__', 'utm_id') },
)
const piece = fc.tuple(name, fc.array(text, { maxLength: 2 })).map(([key, values]) => [key, ...values].join('='))
const query = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `?${pieces.join('&')}`) },
)
const href = fc
  .tuple(
    from('shop.test', 'shop.test', 'shop.test', 'www.shop.test', 'm.shop.test'),
    from('/', '/product/tea/', '/a%20b', '/x.html', '/%E3%81%82/'),
    query,
    from('', '', '#top', '#a?utm_source=no', '#|||x=1'),
  )
  .map(([host, path, search, hash]) => `https://${host}${path}${search}${hash}`)
const referrer = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        from('https://', 'https://', 'http://', 'https://user:pw@', 'android-app://'),
        from(
          'www.google.com',
          'google.co.uk',
          'www.Google.com',
          'news.google.com',
          'google.com.evil.com',
          'yandex.ru',
          'm.yandex.com.tr',
          'YANDEX.ru',
          'www.bing.com',
          'cn.bing.com',
          'search.yahoo.com',
          'go.mail.ru',
          'nova.rambler.ru',
          'tut.by',
          'aol.com',
          'ask.com',
          'globososo.com',
          'about.com',
          'duckduckgo.com',
          'baidu.com',
          't.co',
          'x.t.co',
          'plus.url.google.com',
          'l.facebook.com',
          'blog.example.org',
          'awww.example.org',
          'example.org:8443',
          'shop.test',
          'www.shop.test',
          'sub.shop.test',
          'SHOP.test',
          'notshop.test',
          'shop.test.evil.com',
          'find.example',
          'partner.example',
          '[::1]:80',
        ),
        from(
          ...Array(9).fill('/'),
          '/search',
          '/search',
          '/post/1',
          '/post/1',
          '/a.b/c',
          '/url',
          '/url',
          '/@name/post',
          '',
        ),
        from(
          ...Array(12).fill(''),
          ...['?q=x', '?p=x', '?query=x', '?text=foo'],
          '?q=x',
          '?p=x',
          '?query=x',
          '?text=foo',
          '?text=kw%20z&text=b',
          '?xq=1',
          '?Q=1',
          '?wd=x',
          '?mail=a@b',
          '?constructor=1',
          '#q=1',
        ),
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: from('about:client', 'shop.test', 'data:text/html,x', '://', 'https:///x', 'x', 'https://exa mple/ö'),
  },
)
const cookieNames = ['migrations', 'current_add', 'first_add', 'current', 'first', 'udata', 'session', 'promo']
const forgedValue = fc.oneof(
  {
    weight: 16,
    arbitrary: from(
      '',
      '%',
      '%E0%A4%A',
      'typ%3Dutm',
      'typ%3Dutm%7C%7C%7Csrc%3Dold%7C%7C%7Cmdm%3Dx',
      'typ=utm|src=a|mdm=b',
      'a||b|c|||d||||e',
      'vst%3D7',
      'vst%3Dx',
      'vst%3D-3',
      'pgs%3D12abc',
      'pgs%3D1e9',
      'pgs%3D0%7C%7C%7Ccpg%3Dx',
      '%7C%7C%7C',
      '%uD800',
      '%2521',
      'Zm9v',
      'null',
      '%E9',
      '__proto__%3D1',
      '=%3D=',
      '"quoted"',
      ' %20 ',
    ),
  },
  { weight: 1, arbitrary: fc.constant('%41'.repeat(1300)) },
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }).map((one) => one.replace(/[;,\p{Cc}]/gu, '')) },
)
const step: fc.Arbitrary<Step> = fc.record({
  gap: from(0, 1_000, 60_000, 29 * 60_000, 30 * 60_000, 31 * 60_000, 86_400_000, 179 * 86_400_000, 181 * 86_400_000),
  href,
  referrer,
  forged: rarely(fc.array(fc.tuple(from(...cookieNames), forgedValue), { minLength: 1, maxLength: 2 }), []),
})
const optional = <T>(...values: readonly T[]) => rarely(from(...values), undefined, 4)
const options = fc
  .record({
    lifetime: optional<number | string>(6, '3', 0, 0.000_01, 'x', 1.5),
    session_length: optional<number | string>(30, '10', 0, 'x', 1, '45.9'),
    timezone_offset: optional<number | string>(0, '0', 3, '-5', 5.5, '-5.5', 'x'),
    campaign_param: optional('ref', 'cmp', ''),
    user_ip: optional('192.0.2.1', ''),
    promocode: optional<boolean | object>(true, { min: 10, max: 99 }, { min: 'x' }, { min: 5, max: '1200' }),
    typein_attributes: optional<object>({ source: 'direct', medium: 'none' }, { source: 'half' }, {}),
    domain: optional<string | object>(
      'shop.test',
      { host: 'shop.test' },
      { host: 'shop.test', isolate: true },
      'www.shop.test',
      '',
    ),
    organics: optional<object[]>(
      [
        { host: 'find.example', param: 'Q', display: 'find' },
        { host: 'partner.example', param: 'q' },
      ],
      [{ host: 'x' }, {}],
    ),
    referrals: optional<object[]>(
      [{ host: 'partner.example', display: 'Partner', medium: 'affiliate' }, { host: 'example.org' }],
      [{ display: 'x' }],
    ),
  })
  // Proof of the cast: undefined values are left out, and strings and numbers are valid in all of these places.
  .map(
    (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as TrackerOptions,
  )
const walk: fc.Arbitrary<Walk> = fc.record({
  options,
  minutesAheadOfUtc: from(0, 0, 0, 60, 60, -300, -300, 540, 540, 330),
  agent: from('UA/1.0', 'Mozilla/5.0 (X11; Linux x86_64) "x|y"', "it's ~ünï!*"),
  chance: from(0, 0.37, 0.999_999),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
})

/** The shop's additions: four keys that no link of these visits fills. */
const added = '%7C%7C%7Cid%3D%28none%29%7C%7C%7Cplt%3D%28none%29%7C%7C%7Cfmt%3D%28none%29%7C%7C%7Ctct%3D%28none%29'
/**
 * As text: both come from different realms. The original cannot store a key named `__proto__`; the shop's tracker can.
 */
const comparable = (data: object) =>
  JSON.stringify(data, (key, value) => (/^(?:id|plt|fmt|tct|__proto__)$/.test(key) ? undefined : value))

it('ATTR-02 ATTR-03 ATTR-04 ATTR-07 writes what sourcebuster writes, to the byte, over thousands of visits', () => {
  const counts = { compared: 0, kinds: new Set<string>() }
  const excepted = new Map(Object.keys(exceptions).map((reason) => [reason, 0]))
  const theirs: FakePage = {
    href: 'https://shop.test/',
    referrer: '',
    agent: '',
    now: 0,
    minutesAheadOfUtc: 0,
    chance: 0,
    jar: new CookieJar(),
  }
  const reference = sourcebuster(theirs)

  const follow = (walk: Walk) => {
    const { agent, chance, minutesAheadOfUtc, options } = walk
    let now = Date.UTC(2026, 0, 5, 10, 20, 30)
    Object.assign(theirs, { agent, chance, minutesAheadOfUtc, jar: new CookieJar() })
    let ours = new CookieJar()
    for (const step of walk.steps) {
      now += step.gap
      const { hostname } = new URL(step.href)
      const domain = typeof options.domain === 'object' && options.domain.isolate ? '' : ';domain=.shop.test'
      for (const jar of [theirs.jar, ours])
        for (const [name, value] of step.forged) jar.set(`sbjs_${name}=${value}${domain}; path=/`, hostname, now)
      Object.assign(theirs, { href: step.href, referrer: step.referrer, now })
      const cookies = theirs.jar.get(hostname, now)
      theirs.jar.writes = []
      ours.writes = []

      let data: unknown
      let threw = false
      try {
        data = reference.init(options)
      } catch {
        threw = true
      }
      const FakeDate = dateClass(
        () => now,
        () => minutesAheadOfUtc,
      )
      const document = { URL: step.href, referrer: step.referrer, cookie: ours.get(hostname, now) }
      const visit = { document, navigator: { userAgent: agent }, now: new FakeDate(), chance: () => chance }
      for (const text of trackedVisit(visit, options)) ours.set(text, hostname, now)

      const reasons = Object.entries(exceptions).filter(([, applies]) =>
        applies({ cookies, step, walk, after: theirs.jar.get(hostname, now), writes: theirs.jar.writes }),
      )
      if (reasons.length > 0) {
        for (const [reason] of reasons) excepted.set(reason, (excepted.get(reason) ?? 0) + 1)
        ours = theirs.jar.copy()
        continue
      }
      expect(threw).toBe(false)
      expect(ours.writes.map((one) => one.replace(added, ''))).toEqual(theirs.jar.writes)
      const known = trackerData(ours.get(hostname, now))
      expect(comparable(known)).toBe(comparable(Object(data)))
      counts.compared += 1
      counts.kinds.add(known.current?.typ ?? '')
    }
  }
  fc.assert(fc.property(walk, follow), { numRuns: 900, seed: 20_260_105 })

  expect(counts.compared).toBeGreaterThan(5000)
  expect([...counts.kinds]).toEqual(expect.arrayContaining(['utm', 'organic', 'referral', 'typein']))
  // Every exception is used.
  expect([...excepted].filter(([, times]) => times === 0)).toEqual([])
}, 120_000)
