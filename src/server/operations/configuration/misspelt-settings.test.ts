import { expect, it } from 'vitest'
import { misspeltSettings } from './misspelt-settings.ts'

const misspelt = (names: readonly string[]) => misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))

it('a setting with a slip in its name is told of, and what it was meant to be', () => {
  const meant = (...names: string[]) => misspelt(names).map(({ name, meant }) => `${name}: ${meant}`)
  expect(meant('DATABSE_URL', 'PUBLIC_BASE_URLS', 'TRUSTED_PROXEIS', 'VITRINE_SECRET_FIEL')).toEqual([
    'DATABSE_URL: DATABASE_URL',
    'PUBLIC_BASE_URLS: PUBLIC_BASE_URL',
    'TRUSTED_PROXEIS: TRUSTED_PROXIES',
    'VITRINE_SECRET_FIEL: VITRINE_SECRET_FILE',
  ])
})

it('what others have in the environment is theirs', () => {
  // Kubernetes sets variables for each service in every pod, and a service may have the shop's name.
  const others = [
    'VITRINE_PORT',
    'VITRINE_SERVICE_HOST',
    'HTTP_URL',
    'HOME',
    'SPORT',
    'HOSTS',
    'DATABASE_USER',
    'NODE_ENV',
  ]
  expect(misspelt(others)).toEqual([])
  // With both set, the second is intended.
  expect(misspelt(['DATABASE_URL', 'DATABASE_URL2'])).toEqual([])
  expect(misspeltSettings({ DATABASE_URL: '', DATABASE_URL2: 'postgres://db.example/shop' })).toHaveLength(1)
})
