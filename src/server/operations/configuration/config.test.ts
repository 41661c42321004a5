import { describe, expect, it } from 'vitest'
import { ConfigError, checkCommandSettings, readConfig } from './config.ts'

const live = {
  PAYPAL_ENVIRONMENT: 'live',
  PAYPAL_CLIENT_ID: 'our-client',
  PAYPAL_CLIENT_SECRET: 'our-secret',
  PAYPAL_WEBHOOK_ID: '1AB',
  PUBLIC_BASE_URL: 'https://shop.example/',
}

const faultsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

describe('settings of the operator', () => {
  it('nothing set is a demo on this machine with the embedded database', () => {
    expect(readConfig({ PATH: '/bin' })).toEqual({
      host: '127.0.0.1',
      port: 3000,
      portGiven: false,
      publicBaseUrl: null,
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReplicaUrl: null,
      contentDir: 'demo/content',
      sharePictures: true,
      dataDir: 'data',
      configFile: null,
      demo: true,
      paypal: null,
      smtpUrl: null,
      secret: null,
      translationKey: null,
      breachedPasswords: null,
      trustedProxies: 0,
      privateHosts: [],
      cdnSeconds: 0,
      metricsToken: null,
      purge: null,
      otlpEndpoint: null,
      traceShare: 1,
      logLevel: 'warn',
      production: false,
    })
  })

  it('has the demo’s pages in the demo alone, and those of a folder that is named in either', () => {
    expect(readConfig({ VITRINE_DEMO: '0' }).contentDir).toBe('content')
    expect(readConfig({ VITRINE_DEMO: '1' }).contentDir).toBe('demo/content')
    for (const demo of ['0', '1']) {
      expect(readConfig({ VITRINE_DEMO: demo, CONTENT_DIR: '/srv/pages' }).contentDir).toBe('/srv/pages')
    }
  })

  it('SDK-07 the sandbox without a client id uses the public one, on the sandbox hosts', () => {
    expect(readConfig({ VITRINE_DEMO: '0' }).paypal).toMatchObject({
      environment: 'sandbox',
      clientId: 'sb',
      sdkUrl: 'https://www.sandbox.paypal.com/sdk/js',
      apiBase: 'https://api-m.sandbox.paypal.com',
    })
  })

  it('an account of its own ends the demo, unless that is asked for', () => {
    const ours = { PAYPAL_CLIENT_ID: 'ours', PAYPAL_CLIENT_SECRET: 'hidden' }
    expect(readConfig(ours)).toMatchObject({ demo: false, paypal: { clientId: 'ours' } })
    expect(readConfig({ ...ours, VITRINE_DEMO: '1' })).toMatchObject({ demo: true, paypal: { clientId: 'ours' } })
  })

  it.each([
    [{ PAYPAL_CLIENT_ID: 'ours' }, 'PAYPAL_CLIENT_SECRET is needed with PAYPAL_CLIENT_ID'],
    [{ PAYPAL_CLIENT_SECRET: 'hidden' }, 'PAYPAL_CLIENT_ID is needed with PAYPAL_CLIENT_SECRET'],
    [
      { PAYPAL_CLIENT_SECRET: 'hidden', PAYPAL_WEBHOOK_ID: '1AB' },
      'PAYPAL_CLIENT_ID is needed with PAYPAL_CLIENT_SECRET',
    ],
    [{ PAYPAL_WEBHOOK_ID: '1AB', VITRINE_DEMO: '0' }, 'PAYPAL_CLIENT_ID is needed with PAYPAL_WEBHOOK_ID'],
  ])('half of an account is no demo and no sandbox: %j', (given, fault) => {
    expect(faultsOf(given as Record<string, string>)).toEqual([fault])
  })

  it('takes addresses without their last slash and an empty variable as not set', () => {
    expect(
      readConfig({
        PAYPAL_API_BASE: 'http://127.0.0.1:4100/',
        PORT: '',
        PAYPAL_CERT_HOSTS: '127.0.0.1:4100, localhost:4100',
      }),
    ).toMatchObject({
      port: 3000,
      portGiven: false,
      paypal: { apiBase: 'http://127.0.0.1:4100', certHosts: ['127.0.0.1:4100', 'localhost:4100'] },
    })
  })

  it('names every setting that is wrong, not only the first', () => {
    expect(
      faultsOf({
        PORT: 'http',
        DATABASE_URL: 'mysql://x/y',
        PAYPAL_ENVIRONMENT: 'production',
        VITRINE_SECRET: 'short',
        METRICS_TOKEN: 'two words, of which neither is shown',
      }),
    ).toEqual([
      'PORT must be a number, not "http"',
      'DATABASE_URL must be an address like postgres://user:password@host/name, in which % / # ? of a password are written %25 %2F %23 %3F',
      'PAYPAL_ENVIRONMENT must be sandbox or live, not "production"',
      'VITRINE_SECRET must have 32 characters or more',
      'METRICS_TOKEN must be of letters, digits and . _ ~ + / = - alone',
    ])
  })

  it.each([
    ['DATABASE_URL', 'postgres://shop:100%safe@127.0.0.1/shop', 'postgres://shop:100%25safe@127.0.0.1/shop'],
    ['DATABASE_DIRECT_URL', 'postgres://shop:a#b/c@127.0.0.1/shop', 'postgres://shop:a%23b%2Fc@127.0.0.1/shop'],
    ['SMTP_URL', 'smtp://shop:5%@mail.example:587', 'smtp://shop:5%25@mail.example:587'],
  ])('says how signs of a password are written in %s, and not the password', (name, wrong, right) => {
    const [said, ...more] = faultsOf({ [name]: wrong })
    expect(said).toMatch(
      new RegExp(`^${name} must be an address like .*, in which % / # \\? of a password are written %25 %2F %23 %3F$`),
    )
    expect(more).toEqual([])
    expect(faultsOf({ [name]: right })).toEqual([])
  })

  it.each(['smtp:mail.example:587', 'smtp://', 'smtp://shop:hidden@'])(
    'refuses a mail server without a host: %s',
    (address) => {
      expect(faultsOf({ SMTP_URL: address })).toEqual([
        'SMTP_URL must be an address like smtp://user:password@host:587, in which % / # ? of a password are written %25 %2F %23 %3F',
      ])
    },
  )

  it('writes as much into its log as is asked for, and names a level that there is not', () => {
    const levelOf = (LOG_LEVEL: string) => readConfig({ LOG_LEVEL }).logLevel
    expect(['', 'debug', 'INFO', 'warn', 'error'].map(levelOf)).toEqual(['warn', 'info', 'info', 'warn', 'error'])
    expect(faultsOf({ LOG_LEVEL: 'verbose' })).toEqual(['LOG_LEVEL must be debug, info, warn or error, not "verbose"'])
  })

  it('refuses what stands behind a credential, for the shop and for commands, and shows no secret', () => {
    const given = {
      PAYPAL_CLIENT_ID: 'AbC        # the live pair',
      PAYPAL_CLIENT_SECRET: 'hidden # too',
      PAYPAL_WEBHOOK_ID: '…',
    }
    const rule = 'must be letters, digits and signs without spaces, and nothing behind them'
    const faults = [
      `PAYPAL_CLIENT_ID ${rule}, not "AbC        # the live pair"`,
      `PAYPAL_CLIENT_SECRET ${rule}`,
      `PAYPAL_WEBHOOK_ID ${rule}`,
    ]
    expect(faultsOf(given)).toEqual(faults)
    expect(() => checkCommandSettings(given)).toThrow(new ConfigError(faults.join('\n')))
  })

  it.each(['http://translate.internal:5000', 'translate.internal/v2', '10.0.0.0/8', '*.internal', '::1'])(
    'refuses a private host that no address would have: %s',
    (host) =>
      expect(faultsOf({ PRIVATE_HOSTS: `10.0.0.7,${host}` })).toEqual([
        `PRIVATE_HOSTS must be names of hosts, also with a port, and commas between: translate.internal:5000, not "10.0.0.7,${host}"`,
      ]),
  )

  it('takes private hosts by name or number, also with a port', () => {
    const hosts = ['translate.internal:5000', '10.0.0.7', '[fd00::7]:8080']
    expect(readConfig({ PRIVATE_HOSTS: hosts.join(', ') }).privateHosts).toEqual(hosts)
  })

  it.each([
    'https://shop.example/shop',
    'https://shop.example/?a=b',
    'https://shop.example/#top',
    'https://us:pass@shop.example',
  ])('refuses an address at which no link of the shop would lead anywhere: %s', (address) => {
    expect(faultsOf({ PUBLIC_BASE_URL: address })).toEqual([
      `PUBLIC_BASE_URL must end with the host or its port, as https://shop.example does: a shop has an address to itself, not "${address}"`,
    ])
  })

  it.each([
    ['https://Shop.Example//', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://shop.example:8443/', 'https://shop.example:8443'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['https://tür.example', 'https://xn--tr-xka.example'],
  ])('takes %s for the address of a shop, as browsers write it', (address, written) => {
    expect(readConfig({ PUBLIC_BASE_URL: address }).publicBaseUrl).toBe(written)
  })

  it.each([
    ['fastly', 'https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/', 'a-token'],
    ['cloudflare', 'https://api.cloudflare.com/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353', 'a-token'],
    ['varnish', 'http://10.0.0.5:6081, http://10.0.0.6:6081/', undefined],
  ] as const)('takes the address of a cache that is told what has changed: %s', (way, urls, token) => {
    const given = { CDN_SECONDS: '300', CDN_PURGE: way, CDN_PURGE_URL: urls, ...(token && { CDN_PURGE_TOKEN: token }) }
    const addresses = urls.split(', ').map((url) => url.replace(/\/$/, ''))
    expect(readConfig(given).purge).toEqual({ way, addresses, token: token ?? null })
  })

  it.each([
    [{ CDN_PURGE: 'akamai' }, ['CDN_PURGE must be fastly, cloudflare or varnish, not "akamai"']],
    [
      { CDN_PURGE_URL: 'http://10.0.0.5' },
      ['CDN_PURGE_URL is of no use without CDN_PURGE: fastly, cloudflare or varnish'],
    ],
    [
      { CDN_PURGE: 'fastly' },
      [
        'CDN_SECONDS is needed with CDN_PURGE: without it no cache keeps a page',
        'CDN_PURGE_URL is needed with CDN_PURGE: https://api.fastly.com/service/<id>',
        'CDN_PURGE_TOKEN is needed with CDN_PURGE fastly',
      ],
    ],
    [
      {
        CDN_SECONDS: '60',
        CDN_PURGE: 'cloudflare',
        CDN_PURGE_URL: 'https://api.cloudflare.com',
        CDN_PURGE_TOKEN: 'a b',
      },
      [
        'CDN_PURGE_URL must look like https://api.cloudflare.com/client/v4/zones/<id>',
        'CDN_PURGE_TOKEN must be letters, digits and signs without spaces',
      ],
    ],
    [
      {
        CDN_SECONDS: '60',
        CDN_PURGE: 'fastly',
        CDN_PURGE_URL: 'http://api.fastly.com/service/SU1',
        CDN_PURGE_TOKEN: 'secret',
      },
      ['CDN_PURGE_URL must look like https://api.fastly.com/service/<id>'],
    ],
    [
      { CDN_SECONDS: '60', CDN_PURGE: 'varnish', CDN_PURGE_URL: '10.0.0.5:6081,http://us:pass@10.0.0.6' },
      [
        'CDN_PURGE_URL must be an address like http://10.0.0.5:6081',
        'CDN_PURGE_URL must hold no name or password: CDN_PURGE_TOKEN is for that',
      ],
    ],
  ])('T37 says what is wrong with how a cache is told, and no token: %j', (given: Record<string, string>, faults) => {
    expect(faultsOf(given)).toEqual(faults)
  })

  it('live with all that it needs talks to the live hosts', () => {
    expect(readConfig(live)).toMatchObject({
      demo: false,
      publicBaseUrl: 'https://shop.example',
      paypal: { environment: 'live', sdkUrl: 'https://www.paypal.com/sdk/js', apiBase: 'https://api-m.paypal.com' },
    })
  })

  it.each([
    ['PAYPAL_SDK_URL', 'http://127.0.0.1:4100/sdk/js'],
    ['PAYPAL_API_BASE', 'https://api-m.sandbox.paypal.com'],
    ['PAYPAL_API_BASE', 'http://api-m.paypal.com'],
    ['PAYPAL_API_BASE', 'https://paypal.com.evil.example'],
    ['PAYPAL_API_BASE', 'https://evilpaypal.com'],
    ['PAYPAL_API_BASE', 'https://api-m.paypal.com:8443'],
    ['PAYPAL_WEB_BASE', 'https://paypal.com@evil.example'],
  ])('T3 live refuses to start when %s is %s', (name, value) => {
    expect(faultsOf({ ...live, [name]: value })).toEqual([
      `${name} must be a PayPal host when PAYPAL_ENVIRONMENT is live`,
    ])
  })

  it('T3 live refuses the demo, the public client id, plain http and a missing account', () => {
    expect(
      faultsOf({
        PAYPAL_ENVIRONMENT: 'live',
        PAYPAL_CLIENT_ID: 'sb',
        VITRINE_DEMO: '1',
        PUBLIC_BASE_URL: 'http://shop.example',
      }),
    ).toEqual([
      'PAYPAL_CLIENT_SECRET is needed when PAYPAL_ENVIRONMENT is live',
      'PAYPAL_WEBHOOK_ID is needed when PAYPAL_ENVIRONMENT is live',
      'PAYPAL_CLIENT_ID must be your own when PAYPAL_ENVIRONMENT is live',
      'PUBLIC_BASE_URL must begin with https:// when PAYPAL_ENVIRONMENT is live',
      'VITRINE_DEMO must be off when PAYPAL_ENVIRONMENT is live',
    ])
  })
})
