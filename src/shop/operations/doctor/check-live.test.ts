import { describe, expect, it } from 'vitest'
import { wantedEvents } from '#contract/paypal/webhook-event.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import type { PayPal } from '#paypal/client.ts'
import type { Tools } from '../../shared/tools.ts'
import { checkLive, type LiveFinding } from './check-live.ts'

const now = new Date('2026-03-01T10:00:00Z')
const path = '/wp-json/wc-ppcp/v1/webhook'
const webhookUrl = `https://shop.example${path}`
const account = { clientId: 'ours', webhookId: 'WH-1', sdkUrl: 'https://www.paypal.com/sdk/js' }

type Change = {
  settings?: object
  publicUrl?: string
  environment?: 'sandbox' | 'live'
  webhooks?: { id: string; url: string; events: readonly string[] }[]
  refuses?: string
  script?: { status: number; body?: string; date?: string }
  health?: Response | Error
  /** Static pages by address; others answer with a merchant's text. */
  pages?: Readonly<Record<string, Response>>
}

/** Returns the findings for a correct shop with one change. */
async function found(change: Change = {}, given: typeof account | null = account): Promise<LiveFinding[]> {
  const here = `${change.publicUrl ?? 'https://shop.example'}${path}`
  const { webhooks = [{ id: 'WH-1', url: here, events: wantedEvents }], script = { status: 200 } } = change
  const paypal = {
    listWebhooks: () =>
      Promise.resolve(
        change.refuses
          ? { ok: false, kind: 'refused', issue: change.refuses, status: 401, debugId: '', details: [] }
          : {
              ok: true,
              value: webhooks.map(({ events, ...one }) => ({ ...one, event_types: events.map((name) => ({ name })) })),
            },
      ),
    browserToken: () => Promise.resolve({ ok: false, kind: 'refused', issue: 'NOT_AUTHORIZED', status: 403 }),
  } as unknown as PayPal
  const tools: Pick<Tools, 'settings' | 'paypal' | 'publicUrl' | 'network' | 'clock' | 'paymentEnvironment'> = {
    settings: shopSettings.parse({
      name: 'Ours',
      email: 'owner@shop.example',
      mail: { from: 'shop@shop.example' },
      base: { country: 'IE', state: '' },
      currency: 'EUR',
      ...change.settings,
    }),
    paypal: given ? paypal : null,
    publicUrl: change.publicUrl ?? 'https://shop.example',
    paymentEnvironment: change.environment ?? 'live',
    clock: {
      now: () => now,
      sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
    network: {
      fetch(url) {
        if (String(url).endsWith('/healthz')) {
          const answer = change.health ?? new Response('ok')
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
        }
        const page = /^https:\/\/shop\.example(\/[a-z-]+\/)$/.exec(String(url))?.[1]
        if (page) return Promise.resolve(change.pages?.[page] ?? new Response('<p>Our own words.</p>'))
        const { status, body = '', date = now.toUTCString() } = script
        return Promise.resolve(new Response(body, { status, headers: { date } }))
      },
    },
  }
  return checkLive(tools, given)
}

const missing = async (change: Change, given?: typeof account | null) =>
  (await found(change, given))
    .filter(({ state }) => state === 'missing')
    .map(({ what, advice }) => `${what} | ${advice}`)

describe('before real money comes in', () => {
  it('nothing is missing in a shop for which everything is right', async () => {
    const findings = await found()
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(findings.length).toBeGreaterThanOrEqual(11)
  })

  it.each<[string, Change, RegExp]>([
    [
      'an address without https',
      { publicUrl: 'http://shop.example' },
      /^address: http:\/\/shop\.example \| .*PUBLIC_BASE_URL/,
    ],
    ['an unusual port', { publicUrl: 'https://shop.example:8443' }, /usual port/],
    ['a proxy that leads elsewhere', { health: new Response('<h1>Welcome to nginx</h1>') }, /something else answers/],
    [
      'a name that leads nowhere',
      { health: new TypeError('x', { cause: new Error('getaddrinfo ENOTFOUND') }) },
      /ENOTFOUND/,
    ],
    ['wrong credentials', { refuses: 'invalid_client' }, /rejects the credentials \| invalid_client/],
    [
      'a webhook of another shop',
      { webhooks: [{ id: 'WH-1', url: 'https://old.example/x', events: ['*'] }] },
      /leads to https:\/\/old/,
    ],
    ['an id of no webhook', { webhooks: [{ id: 'WH-2', url: webhookUrl, events: ['*'] }] }, /PAYPAL_WEBHOOK_ID=WH-2/],
    [
      'a webhook that leaves something out',
      { webhooks: [{ id: 'WH-1', url: webhookUrl, events: wantedEvents.slice(1) }] },
      /lacks events \| CHECKOUT\.ORDER\.APPROVED$/,
    ],
    ['a currency that is not taken', { settings: { currency: 'KWD' } }, /^currency: KWD/],
    ['PayPal switched off', { settings: { paypal: { enabled: false } } }, /switched off/],
    ['no address for mail', { settings: { email: '' } }, /no address for its mail/],
    ['the name of a new shop', { settings: { name: 'Vitrine' } }, /called "Vitrine".*settings name/],
    ['the name of the demo', { settings: { name: 'Fogline' } }, /called "Fogline"/],
    [
      'the address of a new shop',
      { settings: { email: 'shop@example.test' } },
      /^email is a placeholder: shop@example\.test \| settings email/,
    ],
    [
      'a sender that nobody has',
      { settings: { mail: { from: 'Shop <shop@example.test>' } } },
      /^mail\.from is a placeholder.*settings mail\.from/,
    ],
    [
      'a recipient of the demo',
      { settings: { mail: { messages: { new_order: { recipients: ['hello@fogline.example'] } } } } },
      /^mail\.messages\.new_order\.recipients\[0\] is a placeholder/,
    ],
    ['a place that nobody has given', { settings: { base: {} } }, /settings base is the default/],
    ['an address of an example', { publicUrl: 'https://shop.example.test' }, /is a placeholder \| Set PUBLIC_BASE_URL/],
    [
      'terms that are not published',
      { pages: { '/terms/': new Response('', { status: 404 }) } },
      /^\/terms\/ is not published \| .*terms\.md/,
    ],
    [
      'a privacy policy that is a placeholder',
      { pages: { '/privacy-policy/': new Response('<p>write it in <code>content/privacy-policy.md</code></p>') } },
      /^\/privacy-policy\/ still has the placeholder/,
    ],
    [
      'the address of the demo',
      { pages: { '/contact/': new Response('<p>118 Shotwell Street</p>') } },
      /^\/contact\/ still has/,
    ],
    [
      'accelerated checkout that is closed',
      { settings: { paypal: { fastlane: { enabled: true } } } },
      /NOT_AUTHORIZED/,
    ],
    ['a clock that is wrong', { script: { status: 200, date: 'Sun, 01 Mar 2026 11:00:00 GMT' } }, /clock/],
    [
      'a client id that the script does not know',
      { script: { status: 400, body: `throw new Error("SDK Validation error: 'client-id not recognized'" );` } },
      /client-id not recognized/,
    ],
  ])('%s is told with what to do', async (_, change, said) => {
    const lines = await missing(change)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(said)
  })

  it('says first of all that there are no credentials', async () => {
    expect(await missing({}, null)).toEqual([expect.stringContaining('PAYPAL_CLIENT_ID')])
  })

  it('takes the sandbox for a rehearsal, and not for a fault', async () => {
    const look = (await found({ environment: 'sandbox' })).filter(({ state }) => state === 'look')
    expect(look.map(({ what }) => what)).toEqual(['environment: sandbox'])
  })
})
