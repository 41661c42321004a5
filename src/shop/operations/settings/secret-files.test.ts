import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/operations/configuration/config.ts'
import { SecretFileError, secretSettings, takeSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
function aFile(content: string, mode = 0o600): string {
  const path = join(folder, `secret-${++count}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}
const taken = (environment: Record<string, string | undefined>) => {
  takeSecretFiles(environment)
  return environment
}

describe('T37 a secret in a file', () => {
  it('is taken for the setting, without the end of its line, and the name of the file goes', () => {
    for (const mode of [0o600, 0o400]) {
      const path = aFile('s3cret with = and #\n', mode)
      expect(taken({ PAYPAL_CLIENT_SECRET_FILE: path, PORT: '3000' })).toEqual({
        PAYPAL_CLIENT_SECRET: 's3cret with = and #',
        PORT: '3000',
      })
    }
  })

  it('reaches the configuration like one of the environment', () => {
    const url = 'postgres://shop:hidden@127.0.0.1/shop'
    const environment = taken({
      DATABASE_URL_FILE: aFile(url),
      SMTP_URL_FILE: aFile('smtp://shop:hidden@127.0.0.1:587\r\n'),
      TRANSLATION_KEY_FILE: aFile('key'),
      VITRINE_SECRET_FILE: aFile('x'.repeat(40)),
    })
    expect(readConfig(environment)).toMatchObject({
      databaseUrl: url,
      smtpUrl: 'smtp://shop:hidden@127.0.0.1:587',
      translationKey: 'key',
      secret: 'x'.repeat(40),
    })
  })

  it.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o660, 0o620, 0o666, 0o777])(
    'is refused where others may read or change it: mode %o',
    (mode) => {
      const path = aFile('canary', mode)
      const refused = () => taken({ VITRINE_SECRET_FILE: path })
      expect(refused).toThrow(SecretFileError)
      expect(refused).toThrow(
        `VITRINE_SECRET_FILE: others may read ${path} (mode ${mode.toString(8)}): chmod 600 ${path}`,
      )
      expect(refused).not.toThrow('canary')
    },
  )

  it.runIf(process.getuid?.() === 0)(
    'of somebody else may be read by our group, as clusters hand them over, and by nobody else',
    () => {
      for (const [mode, isTaken] of [
        [0o440, true],
        [0o640, true],
        [0o444, false],
        [0o460, false],
      ] as const) {
        const path = aFile('canary', mode)
        chownSync(path, 65_534, 65_534)
        const take = () => taken({ VITRINE_SECRET_FILE: path })
        if (isTaken) expect(take()).toEqual({ VITRINE_SECRET: 'canary' })
        else expect(take).toThrow('others may read')
      }
    },
  )

  it('is refused when it is missing, empty, a folder or far too long, or given twice', () => {
    for (const path of [join(folder, 'none'), folder, aFile(''), aFile('\n'), aFile('x'.repeat(9000))])
      expect(() => taken({ SMTP_URL_FILE: path })).toThrow(/^SMTP_URL_FILE: /)
    const twice = { SMTP_URL: 'smtp://127.0.0.1', SMTP_URL_FILE: aFile('smtp://other') }
    expect(() => taken(twice)).toThrow('SMTP_URL is set, and SMTP_URL_FILE as well')
  })

  it('is not looked for where no file is named, nor for settings that are no secrets', () => {
    const plain = { SMTP_URL: 'smtp://127.0.0.1', SMTP_URL_FILE: '', HOST_FILE: join(folder, 'none') }
    expect(taken({ ...plain })).toEqual(plain)
    expect(secretSettings.every((name) => name === name.toUpperCase())).toBe(true)
  })
})
