import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { asSetUpError, readSetUp } from './read-setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-set-up-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function aFile(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const said = async (environment: Record<string, string>, file: string | null = null) => {
  const error = await readSetUp(environment, () => file).catch((reason: unknown) => reason)
  return error instanceof Error ? error.message.split('\n').map((line) => line.trim()) : []
}

const brokenFile = aFile(
  'shop.config.ts',
  `export default {
  settings: {
    currency: 'EURO',
    priceFormat: { decimals: 'two' },
  },
}
`,
)

describe('a shop that is set up wrongly', () => {
  it('says everything at once, with where it stands, what it is and what would be right', async () => {
    const open = aFile('open', 'canary-secret', 0o644)
    const lines = await said(
      {
        PORT: '99999',
        DATABASE_URL: 'mysql://shop:canary-password@host/shop',
        TRUSTED_PROXIES: '1.5',
        PAYPAL_ENVIRONMENT: 'live',
        PAYPAL_CLIENT_ID: 'sb',
        PAYPAL_WEBHOOK_ID: '1AB',
        PAYPAL_CERT_HOSTS: 'no host',
        PUBLIC_BASE_URL: 'shop.example',
        PAYPAL_CLIENT_SECRET_FILE: open,
        SMTP_URL_FILE: join(folder, 'none'),
      },
      brokenFile,
    )
    expect(lines).toEqual([
      'The shop cannot start like this:',
      `environment: PAYPAL_CLIENT_SECRET_FILE: others may read ${open} (mode 644): chmod 600 ${open}`,
      `environment: SMTP_URL_FILE: there is no file ${join(folder, 'none')}`,
      'environment: PORT must be 1 to 65535, not "99999"',
      'environment: PUBLIC_BASE_URL must be an address like https://shop.example, not "shop.example"',
      'environment: DATABASE_URL must be an address like postgres://user:password@host/name, in which % / # ? of a password are written %25 %2F %23 %3F',
      'environment: TRUSTED_PROXIES must be a whole number, not "1.5"',
      'environment: PAYPAL_CERT_HOSTS must hold PayPal hosts alone when PAYPAL_ENVIRONMENT is live, not no host',
      'environment: PAYPAL_CLIENT_ID must be your own when PAYPAL_ENVIRONMENT is live',
      expect.stringMatching(/^shop\.config\.ts, line 3, settings\.currency: /),
      expect.stringMatching(/^shop\.config\.ts, line 4, settings\.priceFormat\.decimals: /),
    ])
    expect(lines.join()).not.toContain('canary')
  })

  it('T32 names the file of passwords out of breaches that cannot be used, with whatever else is wrong', async () => {
    const none = join(folder, 'no-such-list')
    expect(await said({ BREACHED_PASSWORDS: none, PORT: '0' })).toEqual([
      'The shop cannot start like this:',
      'environment: PORT must be 1 to 65535, not "0"',
      `environment: BREACHED_PASSWORDS: ${none} cannot be read (ENOENT)`,
    ])
    const jumbled = aFile('jumbled', `${'F'.repeat(40)}:1\n${'0'.repeat(40)}:1\n`)
    expect(await said({ BREACHED_PASSWORDS: jumbled })).toContain(
      `environment: BREACHED_PASSWORDS: ${jumbled} is not sorted by digest: see byte 43`,
    )
    const good = aFile('good', `${'0'.repeat(40)}:1\n${'F'.repeat(40)}:1\n`)
    expect(await readSetUp({ BREACHED_PASSWORDS: good }, () => null)).toMatchObject({ breachedPasswords: good })
  })

  it('also of settings in the database, with the command that puts them right', async () => {
    const stored = {
      settings: { currency: 5, name: ['x'], language: 'en-IE' },
      taxRates: [],
      shippingZones: [],
      rates: [],
    }
    let thrown: unknown
    try {
      shopConfiguration(stored)
    } catch (error) {
      thrown = error
    }
    const error = await asSetUpError(thrown, brokenFile)
    const [, ...lines] = error instanceof Error ? error.message.split('\n') : []
    expect(lines).toHaveLength(4)
    expect(lines.join('\n')).toMatch(/database: the setting currency: .*settings currency …/)
    expect(lines.join('\n')).toMatch(/database: the setting name: .*settings name …/)
    expect(lines.join('\n')).toMatch(/shop\.config\.ts, line 3/)
    // The command itself continues without it.
    expect(shopConfiguration(stored, 'left-out').settings).toMatchObject({ language: 'en-IE', currency: 'USD' })
  })

  it('starts when nothing is wrong, and leaves what is no setting alone', async () => {
    const secret = aFile('secret', 'x'.repeat(40))
    expect(await readSetUp({ VITRINE_SECRET_FILE: secret, HOME: '/root' }, () => null)).toMatchObject({
      secret: 'x'.repeat(40),
    })
  })
})
