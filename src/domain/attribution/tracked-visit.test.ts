import { describe, expect, it } from 'vitest'
import { readTrackerCookie } from './cookie-text.ts'
import { trackedVisit, trackerData } from './tracked-visit.ts'
import type { TrackerOptions } from './tracker-options.ts'

const start = Date.UTC(2026, 0, 5, 10, 20, 30)

/** A browser that stores cookies until they expire. */
function aBrowser(options: TrackerOptions = {}) {
  const jar = new Map<string, { value: string; until: number }>()
  let now = start
  const cookies = () =>
    [...jar]
      .filter(([, { until }]) => until > now)
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  return {
    cookies,
    forge: (name: string, value: string) => jar.set(name, { value, until: Number.POSITIVE_INFINITY }),
    later: (minutes: number) => {
      now += minutes * 60_000
    },
    open(address: string, referrer = '') {
      const document = {
        URL: /^\//.test(address) ? `https://shop.test${address}` : address,
        referrer,
        cookie: cookies(),
      }
      const visit = { document, navigator: { userAgent: 'UA/1.0' }, now: new Date(now), chance: () => 0.5 }
      const writes = trackedVisit(visit, { timezone_offset: '0', ...options })
      for (const text of writes) {
        const [, name = '', value = '', until] = /^([^=]+)=([^;]*)(?:; expires=([^;]*))?/.exec(text) ?? []
        jar.set(name, { value, until: until ? Date.parse(until) : Number.POSITIVE_INFINITY })
      }
      return writes
    },
    get data() {
      return trackerData(cookies())
    },
  }
}

const sourceOf = (address: string, referrer = '', options: TrackerOptions = {}) => {
  const browser = aBrowser(options)
  browser.open(address, referrer)
  const { typ, src, mdm, cmp, cnt, trm } = browser.data.current ?? {}
  return [typ, src, mdm, cmp, cnt, trm].join(' / ')
}
const nothing = '(none) / (none) / (none)'

it.each([
  [
    '/?utm_source=news&utm_medium=email&utm_campaign=spring&utm_content=a&utm_term=b',
    '',
    'utm / news / email / spring / a / b',
  ],
  ['/?gclid=abc', '', 'utm / google / cpc / google_cpc / (none) / (none)'],
  ['/?yclid=abc', '', 'utm / yandex / cpc / yandex_cpc / (none) / (none)'],
  ['/?gclid=1&yclid=2', '', 'utm / google / cpc / google_cpc / (none) / (none)'],
  ['/?gclid=abc&utm_campaign=X', '', 'utm / google / cpc / X / (none) / (none)'],
  ['/?gclid', '', `typein / (direct) / (none) / ${nothing}`],
  ['/?gclid=', '', 'utm / google / cpc / google_cpc / (none) / (none)'],
  ['/?utm_source=', '', `utm /  / (none) / ${nothing}`],
  ['/?utm_source=a&utm_source=b', '', `utm / a,b / (none) / ${nothing}`],
  ['/?utm_campaign=a=b', '', 'utm / (none) / (none) / a / (none) / (none)'],
  ['/?utm_source=a&utm_content=&utm_term=', '', 'utm / a / (none) / (none) /  / '],
  ['/?utm_id=9', '', `utm / (none) / (none) / ${nothing}`],
  ['/?UTM_SOURCE=x', '', `typein / (direct) / (none) / ${nothing}`],
  ['/?msclkid=1&ttclid=1&dclid=1', '', `typein / (direct) / (none) / ${nothing}`],
  ['/#?utm_source=x', '', `typein / (direct) / (none) / ${nothing}`],
  ['/?constructor=1&__proto__=2&false=3', '', `typein / (direct) / (none) / ${nothing}`],
  ['/?fbclid=zz', 'https://l.facebook.com/', 'referral / l.facebook.com / referral / (none) / / / (none)'],
  ['/', 'https://www.google.co.uk/search?q=x', `organic / google / organic / ${nothing}`],
  ['/', 'https://news.google.com/', 'referral / news.google.com / referral / (none) / / / (none)'],
  ['/', 'https://www.bing.com/search?q=x', `organic / bing / organic / ${nothing}`],
  ['/', 'https://www.bing.com/', 'referral / bing.com / referral / (none) / / / (none)'],
  ['/', 'https://uk.search.yahoo.com/search?p=x', `organic / yahoo / organic / ${nothing}`],
  ['/', 'https://about.com/?q=x', `organic / about / organic / ${nothing}`],
  ['/', 'https://search.aol.com/?q=x', `organic / aol / organic / ${nothing}`],
  ['/', 'https://www.ask.com/web?q=x', `organic / ask / organic / ${nothing}`],
  ['/', 'https://globososo.com/?q=x', `organic / globo / organic / ${nothing}`],
  ['/', 'https://go.mail.ru/search?q=x', `organic / go.mail.ru / organic / ${nothing}`],
  ['/', 'https://nova.rambler.ru/search?query=x', `organic / rambler / organic / ${nothing}`],
  ['/', 'https://search.tut.by/?query=x', `organic / tut.by / organic / ${nothing}`],
  ['/', 'https://yandex.ru/search/?text=foo', `organic / yandex / organic / ${nothing}`],
  ['/', 'https://yandex.ru/', 'referral / yandex.ru / referral / (none) / / / (none)'],
  ['/', 'https://duckduckgo.com/?q=x', 'referral / duckduckgo.com / referral / (none) / / / (none)'],
  ['/', 'https://baidu.com/s?wd=x', 'referral / baidu.com / referral / (none) / /s / (none)'],
  ['/', 'https://t.co/abc', 'referral / twitter.com / referral / (none) / /abc / (none)'],
  ['/', 'https://plus.url.google.com/url', 'referral / plus.google.com / referral / (none) / /url / (none)'],
  ['/', 'https://blog.example.org/post/1?x=2', 'referral / blog.example.org / referral / (none) / /post/1 / (none)'],
  ['/', 'https://medium.com/@name/post', 'referral / medium.com / referral / (none) / /@name/post / (none)'],
  ['/', 'http://[2001:db8::1]:8080/x', 'referral / [2001:db8::1] / referral / (none) / /x / (none)'],
  ['/', 'https://sub.shop.test/a', `typein / (direct) / (none) / ${nothing}`],
  ['/', 'https://notshop.test/', 'referral / notshop.test / referral / (none) / / / (none)'],
  ['/', 'https://shop.test.evil.com/x', 'referral / shop.test.evil.com / referral / (none) / /x / (none)'],
  ['/', 'https://www.Google.com/', 'referral / Google.com / referral / (none) / / / (none)'],
  ['/', 'https://google.com.evil.com/', 'referral / google.com.evil.com / referral / (none) / / / (none)'],
  [
    '/',
    'https://r.search.yahoo.com/_ylt=x/RU=y',
    'referral / r.search.yahoo.com / referral / (none) / /_ylt=x/RU=y / (none)',
  ],
  ['/?utm_source=100%25&utm_campaign=%257C', '', 'utm / 100% / (none) / %7C / (none) / (none)'],
  ['/', 'android-app://com.google.android.gm/', 'referral / com.google.android.gm / referral / (none) / / / (none)'],
  ['/?utm_source=q', 'https://yandex.ru/search/?text=kw%20z', 'utm / q / (none) / (none) / (none) / kw z'],
  ['/?utm_source=q&text=own', 'https://yandex.ru/', `utm / q / (none) / ${nothing}`],
  ['/?utm_source=n', 'https://www.google.com/', `utm / n / (none) / ${nothing}`],
])('ATTR-02 ATTR-07 %s from %s is %s', (address, referrer, expected) => {
  expect(sourceOf(address, referrer)).toBe(expected)
})

it('ATTR-02 the shop names further parameters, engines and sites, and what counts as its own', () => {
  const more: TrackerOptions = { campaign_param: 'c', content_param: 'k', term_param: 't' }
  expect(sourceOf('/?c=x&k=y&t=z', '', more)).toBe('utm / (none) / (none) / x / y / z')
  expect(sourceOf('/?utm_campaign=u&c=x', '', more)).toBe('utm / (none) / (none) / u / (none) / (none)')
  const organics = [{ host: 'find.example', param: 'Q', display: 'Find' }, { host: 'no-parameter.example' }]
  expect(sourceOf('/', 'https://www.find.example/?q=1', { organics })).toBe(`organic / Find / organic / ${nothing}`)
  expect(sourceOf('/', 'https://no-parameter.example/?q=1', { organics })).toContain('referral / no-parameter.example')
  const referrals = [{ host: 'partner.example', display: 'Partner', medium: 'affiliate' }, { display: 'nobody' }]
  expect(sourceOf('/', 'https://a.partner.example/x', { referrals })).toBe(
    'referral / Partner / affiliate / (none) / /x / (none)',
  )
  const isolated = { domain: { host: 'shop.test', isolate: true } }
  expect(sourceOf('/', 'https://sub.shop.test/', isolated)).toContain('referral / sub.shop.test')
  expect(
    aBrowser(isolated)
      .open('/')
      .filter((text) => text.includes('domain')),
  ).toEqual([])
  expect(sourceOf('/', '', { typein_attributes: { source: 'typed', medium: 'by hand' } })).toContain(
    'typein / typed / by hand',
  )
  expect(sourceOf('/', '', { typein_attributes: { source: 'typed' } })).toContain('typein / (direct) / (none)')
})

it('ATTR-02 campaigns and engines override the visit under way, other sites only begin another', () => {
  const browser = aBrowser()
  const seen = () => {
    const { current, session, udata } = browser.data
    return [current?.typ, current?.src, udata?.vst, session?.pgs].join(' ')
  }
  browser.open('/?utm_source=n')
  expect(seen()).toBe('utm n 1 1')
  browser.open('/cart/', 'https://shop.test/')
  expect(seen()).toBe('utm n 1 2')
  browser.open('/paid/', 'https://pay.example/')
  expect(seen()).toBe('utm n 1 3')
  browser.open('/', 'https://www.google.com/')
  expect(seen()).toBe('organic google 1 4')
  browser.open('/?gclid=1')
  expect(seen()).toBe('utm google 1 5')
  browser.later(31)
  browser.open('/', 'https://pay.example/x')
  expect(seen()).toBe('referral pay.example 2 1')
  browser.later(31)
  browser.open('/')
  expect(seen()).toBe('referral pay.example 3 1')
  expect(browser.data.first?.src).toBe('n')
  expect(browser.data.current_add).toMatchObject({ ep: 'https://shop.test/', rf: 'https://pay.example/x' })
})

const none4 = '%7C%7C%7Cid%3D%28none%29%7C%7C%7Cplt%3D%28none%29%7C%7C%7Cfmt%3D%28none%29%7C%7C%7Ctct%3D%28none%29'

it('ATTR-03 ATTR-04 writes the cookies of a first visit to the byte and in their order', () => {
  const life = '; expires=Sat, 04 Jul 2026 10:20:30 GMT;domain=.shop.test; path=/'
  const extra = `fd%3D2026-01-05%2010%3A20%3A30%7C%7C%7Cep%3Dhttps%3A%2F%2Fshop.test%2F%7C%7C%7Crf%3D%28none%29${life}`
  const main = `typ%3Dtypein%7C%7C%7Csrc%3D%28direct%29%7C%7C%7Cmdm%3D%28none%29%7C%7C%7Ccmp%3D%28none%29%7C%7C%7Ccnt%3D%28none%29%7C%7C%7Ctrm%3D%28none%29${none4}${life}`
  expect(aBrowser({ promocode: true }).open('/')).toEqual([
    `sbjs_migrations=1418474375998%3D1${life}`,
    `sbjs_current_add=${extra}`,
    `sbjs_first_add=${extra}`,
    `sbjs_current=${main}`,
    `sbjs_first=${main}`,
    `sbjs_udata=vst%3D1%7C%7C%7Cuip%3D%28none%29%7C%7C%7Cuag%3DUA%2F1.0${life}`,
    'sbjs_session=pgs%3D1%7C%7C%7Ccpg%3Dhttps%3A%2F%2Fshop.test%2F; expires=Mon, 05 Jan 2026 10:50:30 GMT;domain=.shop.test; path=/',
    `sbjs_promo=code%3D550000${life}`,
  ])
})

it('ATTR-03 lives as long as the shop says: six months of thirty days and half an hour where it says nothing', () => {
  const lives = (options: TrackerOptions) =>
    aBrowser(options)
      .open('/')
      .map((text) => /expires=([^;]*)/.exec(text)?.[1])
      .map((until) => (until ? (Date.parse(until) - start) / 60_000 : 'until the browser closes'))
      .filter((one, place, all) => all.indexOf(one) === place)
  expect(lives({})).toEqual([259_200, 30])
  expect(lives({ lifetime: 'x', session_length: 'x' })).toEqual([259_200, 30])
  expect(lives({ lifetime: 1, session_length: '45' })).toEqual([43_200, 45])
  expect(lives({ lifetime: 0.000_01 })).toEqual(['until the browser closes', 30])
})

it('ATTR-03 a promotion code lies between the numbers that the shop names, with as many digits as the greater', () => {
  const code = (promocode: TrackerOptions['promocode']) => {
    const browser = aBrowser({ promocode: promocode ?? false })
    browser.open('/')
    return browser.data.promo?.code
  }
  expect(code(false)).toBeUndefined()
  expect(code(true)).toBe('550000')
  expect(code({ min: 1, max: 1000 })).toBe('0501')
})

it('ATTR-04 reads and writes base64 as well', () => {
  const browser = aBrowser({ base64: true })
  const [first = ''] = browser.open(
    '/?utm_source=caf%C3%A9&utm_id=1&utm_source_platform=p&utm_creative_format=f&utm_marketing_tactic=t',
  )
  expect(first).toMatch(/^sbjs_migrations=MTQxODQ3NDM3NTk5OCUzRDE;/)
  expect(browser.cookies()).not.toContain('%')
  expect(browser.data.current).toEqual({
    typ: 'utm',
    src: 'café',
    mdm: '(none)',
    cmp: '(none)',
    cnt: '(none)',
    trm: '(none)',
    id: '1',
    plt: 'p',
    fmt: 'f',
    tct: 't',
  })
  // A shop that disables it continues with existing cookies.
  expect(readTrackerCookie('dHlwJTNEdXRt')).toEqual({ typ: 'utm' })
})

it('ATTR-04 makes three bars of one in cookies of the first format, and deletes those', () => {
  const browser = aBrowser()
  browser.forge('sbjs_first', 'typ%3Dutm%7Csrc%3Dold')
  browser.forge('sbjs_session', 'pgs%3D7%7Ccpg%3Dx')
  const writes = browser.open('/')
  expect(writes.slice(0, 3)).toEqual([
    'sbjs_first=; expires=Mon, 05 Jan 2026 10:19:30 GMT;domain=.shop.test; path=/',
    'sbjs_first=; expires=Mon, 05 Jan 2026 10:19:30 GMT; path=/',
    'sbjs_first=typ%3Dutm%7C%7C%7Csrc%3Dold; expires=Sat, 04 Jul 2026 10:20:30 GMT;domain=.shop.test; path=/',
  ])
  expect(browser.data.first).toEqual({ typ: 'utm', src: 'old' })
  expect(browser.data.session?.pgs).toBe('2')
  expect(browser.open('/').some((text) => text.includes('migrations'))).toBe(false)
})

it.each([
  '%',
  '%E0%A4%A',
  '%uD800',
  '\uD800',
  'a|||b|||',
  '|||',
  '====',
  '__proto__=1',
  '"',
  'Zm9v',
  '%00',
  'x'.repeat(8192),
  '%F0%9F'.repeat(1000),
  '日本',
])('ATTR-04 survives any cookie, such as %.20s', (forged) => {
  for (const name of ['migrations', 'current', 'current_add', 'first', 'first_add', 'udata', 'session', 'promo']) {
    const browser = aBrowser({ promocode: true })
    browser.forge(`sbjs_${name}`, forged)
    const sizes = browser.open('/?utm_source=fine').map((text) => text.length)
    expect(Math.max(...sizes)).toBeLessThan(1500)
    expect(browser.data.current?.src).toBe('fine')
    expect(
      Object.values(browser.data).every((values) => Object.values(values).every((value) => typeof value === 'string')),
    ).toBe(true)
  }
})

it('ATTR-04 no link fills the requests that follow with cookies', () => {
  for (const base64 of [true, false]) {
    const browser = aBrowser({ base64 })
    const names = ['source', 'medium', 'campaign', 'content', 'term', 'id']
    browser.open(
      `/?${names.map((name) => `utm_${name}=${'%E3%81%82|'.repeat(200)}`).join('&')}`,
      `https://x.example/${'~!'.repeat(4000)}`,
    )
    expect(browser.cookies().length).toBeLessThan(7600)
    expect(browser.data.current?.typ).toBe('utm')
  }
})

describe('ATTR-04 a value that is too long for its cookie', () => {
  const festival = '春の大感謝祭'
  const spelled = [
    ['as the address bar has it', encodeURIComponent],
    ['as it is', (text: string) => text],
  ] as const
  const forms = [true, false].flatMap((base64) => spelled.map(([how, spell]) => ({ base64, how, spell })))

  it.each(forms)('is cut between characters, written $how, base64 $base64', ({ base64, spell }) => {
    for (const sign of ['春', 'é', '😀', '%', '~', 'a']) {
      // Prefixes of every length move the cut to every byte of a character.
      for (let before = 0; before < 16; before += 1) {
        const browser = aBrowser({ base64 })
        const text = 'x'.repeat(before) + sign.repeat(700)
        browser.open(`/?utm_source=s&utm_campaign=${spell(text)}`)
        const { cmp = '' } = browser.data.current ?? {}
        expect(text.startsWith(cmp), `${sign} after ${before}: …${cmp.slice(-8)}`).toBe(true)
        expect(cmp).toMatch(new RegExp(`^x{${before}}${sign}{40,}$`, 'u'))
        expect(browser.data.first).toEqual(browser.data.current)
      }
    }
  })

  it('is cut between characters in the entrance address and the referrer, too', () => {
    for (let before = 0; before < 16; before += 1) {
      const query = `?${'x'.repeat(before)}=${encodeURIComponent(festival.repeat(20))}`
      const landing = aBrowser()
      landing.open(`/${query}&utm_source=s`)
      const shown = expect.stringMatching(/^https:\/\/shop\.test\/\?x*=[春の大感謝祭]{60,}$/)
      expect(landing.data.current_add?.ep).toEqual(shown)
      expect(landing.data.session?.cpg).toEqual(shown)
      const led = aBrowser()
      led.open('/', `https://blog.test/${query}`)
      expect(led.data.first_add?.rf).toMatch(/^https:\/\/blog\.test\/\?x*=[春の大感謝祭]{60,}$/)
    }
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])(
    'that an earlier version cut inside of a character, %s characters on, is read as far as it is whole',
    (before) => {
      const text = 'x'.repeat(before) + festival.repeat(20)
      const packed = `typ=utm|||src=s|||mdm=(none)|||cmp=${encodeURIComponent(text)}`
      for (const value of [
        encodeURIComponent(packed),
        encodeURIComponent(packed.replace(/cmp=.*/, `cmp=${text}`.repeat(2))),
      ]) {
        const browser = aBrowser({})
        browser.forge('sbjs_current', value.slice(0, 1300).replace(/%.?$/, ''))
        const { typ, cmp = '' } = browser.data.current ?? {}
        expect(typ).toBe('utm')
        expect(cmp).toMatch(/^x*[春の大感謝祭]+(?:cmp=x*[春の大感謝祭]+)?$/)
        expect(cmp.length).toBeGreaterThan(60)
      }
      const base64 = aBrowser({ base64: true })
      base64.forge('sbjs_current', btoa(encodeURIComponent(packed)).replaceAll('=', '').slice(0, 1300))
      expect(base64.data.current?.cmp).toMatch(/^x*[春の大感謝祭]+$/)
    },
  )

  it('leaves what is short and was never UTF-8 as it is read by others', () => {
    const browser = aBrowser({})
    browser.forge('sbjs_current', 'typ%3Dutm%7C%7C%7Ccmp%3Dcaf%E9')
    expect(browser.data.current?.cmp).toBe('café')
  })
})

it('ATTR-04 dates are in the zone that is named, else in the visitor’s own', () => {
  const date = (timezone_offset: number | string) => {
    const browser = aBrowser({ timezone_offset })
    browser.open('/')
    return browser.data.current_add?.fd
  }
  expect(date('0')).toBe('2026-01-05 10:20:30')
  expect(date('3')).toBe('2026-01-05 13:20:30')
  expect(date('-5.5')).toBe('2026-01-05 05:20:30')
  const local = new Date(start - new Date(start).getTimezoneOffset() * 60_000).toISOString()
  expect(date(0)).toBe(local.slice(0, 19).replace('T', ' '))
})
