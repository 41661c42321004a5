import { expect, it } from 'vitest'
import { processorMs } from '#tests/support/process/processor-time.ts'
import { acceptedLanguage, countryCode } from './accepted-language.ts'
import { isExcludedPath } from './excluded-path.ts'
import { storableText } from './stored-text.ts'
import { agentOf } from './user-agent.ts'

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome 142 Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge 142 Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari 18 macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
    'Safari 18 iOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Safari  iOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1',
    'Chrome 142 iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox 145 Linux'],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Samsung Internet 29 Android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36',
    'Android WebView 142 Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome 141 ChromeOS',
  ],
  ['Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18', 'Opera 9 Windows'],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer 11 Windows'],
  ['', 'Other  Other'],
  ['\u202e<script>Firefox', 'Other  Other'],
])('STAT-04 of an agent only family and major version are kept: %s', (agent, expected) => {
  const { browser, version, os } = agentOf(agent)
  expect(`${browser} ${version} ${os}`).toBe(expected)
})

it('STAT-04 an agent of any length is read at once', () => {
  for (const piece of ['Android ', 'Version/', '; wv)', 'Trident/', 'iPhone ']) {
    expect(processorMs(() => agentOf(piece.repeat(100_000)))).toBeLessThan(1_000)
  }
})

it.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de', 'AT'],
  ['en;q=0.5,fr;q=0.9', 'fr', ''],
  ['fr,de-CH;q=0.7', 'fr', 'CH'],
  ['zh-Hans-CN', 'zh', 'CN'],
  ['es-419,es;q=0.9', 'es', ''],
  ['*', '', ''],
  ['de;q=0, it', 'it', ''],
  ['', '', ''],
  ["'; drop table stat_visit; --", '', ''],
])('STAT-04 the language header %s tells a language and guesses a country', (header, language, region) => {
  expect(acceptedLanguage(header)).toEqual({ language, region })
})

it('STAT-04 a country is two letters that a proxy knows', () => {
  expect(['de', ' FR ', 'XX', 'T1', 'DEU', 'D', '', '<b', 'DE\r\nX: y'].map(countryCode)).toEqual([
    'DE',
    'FR',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ])
})

it('STAT-04 a stranger’s text is kept as one line of whole characters', () => {
  expect(storableText('a\u0000b\u001b[31mc\r\nd\u202ee\ud800f', 100)).toBe('a b [31mc d e f')
  expect(storableText('x'.repeat(9_000), 512)).toHaveLength(512)
  expect(storableText(`${'x'.repeat(9)}😀`, 10)).toBe('x'.repeat(9))
})

it.each([
  ['/about/', ['/about'], true],
  ['/About', ['/about/'], true],
  ['/about/us/', ['/about'], false],
  ['/my-account/orders/', ['/my-account/*'], true],
  ['/product/hat/', ['/product/*/'], true],
  ['/de/produkt/hut/', ['*/produkt/*'], true],
  ['/aXb', ['/a*b*c'], false],
  ['/ab', ['/ab*b'], false],
  ['/', ['/'], true],
  ['/', [], false],
  ['/anything', ['*'], true],
])('STAT-01 whether %s is left out by %j: %s', (path, patterns, expected) => {
  expect(isExcludedPath(path, patterns)).toBe(expected)
})

it('STAT-01 a pattern full of stars is tried once', () => {
  const ms = processorMs(() => expect(isExcludedPath('a'.repeat(512), [`${'*a'.repeat(99)}b`])).toBe(false))
  expect(ms).toBeLessThan(1_000)
})
