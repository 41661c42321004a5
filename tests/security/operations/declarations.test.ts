import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls } from '#server/calls/shared/call-routes.ts'
import { defineCall } from '#server/calls/shared/define-call.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'

const server = join(import.meta.dirname, '../../../src/server')
const listed = 'calls/shared/call-routes.ts'
const routes = readFileSync(join(server, listed), 'utf8')
const inRooms = globSync('{calls,rest,webhooks}/**/*.{ts,tsx}', { cwd: server }).filter(
  (file) => !file.includes('.test.'),
)
/** What calls share lies apart; every other file of `calls` and `webhooks` is a call. */
const files = inRooms.filter(
  (file) =>
    !file.startsWith('calls/shared/') &&
    (!file.startsWith('rest/') || readFileSync(join(server, file), 'utf8').includes('= defineCall(')),
)
/** Lists of the two whole interfaces, whose calls are declared by groups. */
const lists = ['rest/v3/v3-routes.ts', 'rest/store/store-routes.ts'] as const
const declares = /^export const (\w+) = (?:v3Resource|v3Call|storeCall)\(/gm

describe('the list of calls', () => {
  it('T10 T11 has every file of calls and webhooks, each with one call of its own', () => {
    for (const file of files) {
      const text = readFileSync(join(server, file), 'utf8')
      const [, exported = 'nothing'] = /export const (\w+) = defineCall\(/.exec(text) ?? []
      expect(text.match(/defineCall\(/g), file).toHaveLength(1)
      const list = lists.find((one) => file.startsWith(`${dirname(one)}/`)) ?? listed
      const own = list === listed ? routes : readFileSync(join(server, list), 'utf8')
      const from = relative(dirname(list), file).replace(/^(?!\.)/, './')
      expect(own, file).toMatch(new RegExp(`import \\{ ${exported} \\} from '${from.replace(/\./g, '\\.')}'`))
      expect(own, file).toMatch(new RegExp(`\\b${exported}[,\\]]`))
    }
    const addresses = calls.flatMap(({ door, namespace, name, method, alsoMethods = [] }) =>
      [method, ...alsoMethods].map((one) => `${door} ${namespace} ${name} ${one}`),
    )
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it.each(lists)('T10 %s has every group and call that its folder declares', (list) => {
    const text = readFileSync(join(server, list), 'utf8')
    for (const file of inRooms.filter((one) => one.startsWith(`${dirname(list)}/`))) {
      for (const [, name = ''] of readFileSync(join(server, file), 'utf8').matchAll(declares)) {
        expect(text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length, `${file}: ${name}`).toBeGreaterThan(1)
      }
    }
  })

  it.each(calls.map((call) => [call.name, call] as const))('%s declares every policy', (_, call) => {
    expect(call.input).toBeInstanceOf(z.ZodType)
    expect(['json', 'html', 'text', 'redirect', 'empty']).toContain(call.output)
    expect([
      'anyone',
      'own-session',
      'translator',
      'shop-manager',
      'consumer-key',
      'order-key',
      'provider-signature',
      'provider-token',
    ]).toContain(call.identity)
    expect(['safe', 'natural', 'each-counts', 'intention', 'event-id']).toContain(call.idempotency)
    expect(['statistics', 'translation', 'anonymous-page', 'personal-page', 'cart', 'checkout']).toContain(call.load)
    expect(['public', 'private-no-store']).toContain(call.cache)
    // What reads or writes a visitor's own things is never kept by anybody.
    if (call.identity !== 'anyone') expect(call.cache).toBe('private-no-store')
    // What has no token of its own either changes nothing, or the public interface has none for it.
    if ('none' in call.forgery && call.forgery.none === 'safe method') expect(call.method).toBe('GET')
    if (call.method === 'GET') expect(call.idempotency).toBe('safe')
    if (call.identity.startsWith('provider-')) expect(call.forgery).toEqual({ none: 'provider-signature' })
  })

  it('takes money or an order only with a token, or a signature', () => {
    for (const { name, idempotency, forgery } of calls.filter(({ load }) => load === 'checkout')) {
      expect([name, idempotency === 'intention' && 'none' in forgery]).toEqual([name, false])
    }
  })

  it('a call that leaves a policy out does not start', () => {
    const whole = calls[0]
    if (!whole) throw new Error('there is no call')
    for (const key of ['input', 'identity', 'idempotency', 'load', 'cache', 'forgery'] as const) {
      expect(() => defineCall({ ...whole, [key]: undefined } as never)).toThrow(`does not declare its ${key}`)
    }
  })
})

describe('the list of pages', () => {
  it.each(pageRoutes.map(({ method, path, identity }) => [method, path, identity] as const))(
    'T10 %s %s declares who may have it',
    (method, path, identity) => {
      expect([
        'anyone',
        'own-session',
        'customer',
        'link',
        'monitor',
        'order-key',
        'translator',
        'shop-manager',
      ]).toContain(identity)
      // What a form changes belongs to somebody.
      if (method === 'POST') expect(identity).not.toBe('anyone')
      if (path.startsWith('/my-account/')) expect(['customer', 'own-session']).toContain(identity)
    },
  )

  it.each(pageRoutes.map(({ method, path, load }) => [method, path, load] as const))(
    'P9 %s %s declares how soon it is shed',
    (method, path, load) => {
      const classes = ['statistics', 'translation', 'anonymous-page', 'personal-page', 'cart', 'checkout', 'never']
      expect(classes).toContain(load)
      // What pays goes on when nothing else does; only files and figures are never shed.
      if (/^\/(?:checkout|pay)\//.test(path)) expect(load).toBe('checkout')
      if (load === 'never') expect([method, path]).toEqual(['GET', expect.not.stringMatching(/\/$/)])
    },
  )

  it('T10 has each address once', () => {
    const addresses = pageRoutes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

describe('the way of a file into the shop', () => {
  it('T25 is one call, of whoever runs the shop; no visitor has any', () => {
    const all = globSync('**/*.{ts,tsx}', { cwd: server }).filter((file) => !file.includes('.test.'))
    const reading = all.filter((file) => /\breadUpload\(/.test(readFileSync(join(server, file), 'utf8')))
    expect(reading.toSorted()).toEqual(['http/request/uploaded-file.ts', 'rest/desk/media-upload.ts'])
    // Forms are taken apart at two places: there, and where a form with a file is refused.
    const forms = all.filter((file) => /\.formData\(/.test(readFileSync(join(server, file), 'utf8')))
    expect(forms.toSorted()).toEqual(['http/request/request-body.ts', 'http/request/uploaded-file.ts'])
    // The two interfaces read JSON after their authentication.
    const own = calls.filter(
      ({ body, identity, origins }) =>
        body === 'own' && identity !== 'shop-manager' && identity !== 'consumer-key' && origins !== 'listed',
    )
    expect(own.map(({ name }) => name)).toEqual(['policy-report'])
  })
})
