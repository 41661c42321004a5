import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

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
      contentDir: 'content',
      sharePictures: true,
      dataDir: 'data',
      configFile: null,
      demo: true,
      paypal: null,
      smtpUrl: null,
      secret: null,
      translationKey: null,
      trustedProxies: 0,
      privateHosts: [],
      production: false,
    })
  })

  it('SDK-07 the sandbox without a client id uses the public one, on the sandbox hosts', () => {
    expect(readConfig({ VITRINE_DEMO: '0' }).paypal).toMatchObject({
      environment: 'sandbox',
      clientId: 'sb',
      sdkUrl: 'https://www.sandbox.paypal.com/sdk/js',
      apiBase: 'https://api-m.sandbox.paypal.com',
    })
  })

  it('a client id of its own ends the demo, unless that is asked for', () => {
    expect(readConfig({ PAYPAL_CLIENT_ID: 'ours' })).toMatchObject({ demo: false, paypal: { clientId: 'ours' } })
    expect(readConfig({ PAYPAL_CLIENT_ID: 'ours', VITRINE_DEMO: '1' })).toMatchObject({
      demo: true,
      paypal: { clientId: 'ours' },
    })
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
      }),
    ).toEqual([
      'PORT must be a number',
      'DATABASE_URL must be an address like postgres://user:password@host/name',
      'PAYPAL_ENVIRONMENT must be sandbox or live',
      'VITRINE_SECRET must have 32 characters or more',
    ])
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
