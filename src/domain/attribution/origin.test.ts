import { expect, it } from 'vitest'
import { deviceTypeOf } from './device-type.ts'
import { originOf } from './origin.ts'

it.each([
  ['utm', 'news', { kind: 'source', name: 'News' }],
  ['utm', '(newsletter)', { kind: 'source', name: 'Newsletter' }],
  ['organic', 'google', { kind: 'organic', name: 'Google' }],
  ['referral', 'blog.example.org', { kind: 'referral', name: 'Blog.example.org' }],
  ['referral', 'élan.example', { kind: 'referral', name: 'Élan.example' }],
  ['typein', '(direct)', { kind: 'direct' }],
  ['admin', '', { kind: 'web-admin' }],
  ['mobile_app', undefined, { kind: 'mobile-app' }],
  ['pos', undefined, { kind: 'point-of-sale' }],
  ['', 'google', { kind: 'unknown' }],
  [undefined, undefined, { kind: 'unknown' }],
  ['utm', '', { kind: 'unknown' }],
  ['utm', '()', { kind: 'unknown' }],
  ['constructor', 'x', { kind: 'unknown' }],
  ['__proto__', 'x', { kind: 'unknown' }],
])('ATTR-08 an order of type %s from %s is labelled by its origin', (type, source, origin) => {
  expect(originOf(type, source)).toEqual(origin)
})

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148', 'Mobile'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36', 'Mobile'],
  // An older iPad has "Mobile" in its name, and counts as a phone.
  ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148', 'Mobile'],
  ['Mozilla/5.0 (iPad; U; CPU OS 3_2 like Mac OS X; en-us) AppleWebKit/531.21.10', 'Tablet'],
  ['Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36', 'Tablet'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36', 'Desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Desktop'],
  ['', 'Desktop'],
  ['(((((((', 'Desktop'],
])('ATTR-08 %s runs on: %s', (agent, device) => {
  expect(deviceTypeOf(agent)).toBe(device)
})
