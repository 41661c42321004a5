import { expect, it } from 'vitest'
import { providerLocale } from './provider-locale.ts'

it('names a language as the provider does, and none that it does not speak', () => {
  const pairs: readonly (readonly [string, string | null])[] = [
    ['en-US', 'en-US'],
    ['de-DE', 'de-DE'],
    ['de-AT', 'de-DE'],
    ['ar', 'ar-EG'],
    ['ja-JP', 'ja-JP'],
    ['pt-BR', 'pt-BR'],
    ['nb-NO', 'no-NO'],
    ['zh-Hant-MO', 'zh-TW'],
    ['en-x-pseudo', 'en-US'],
    ['gsw-CH', null],
  ]
  for (const [tag, locale] of pairs) expect([tag, providerLocale(tag)]).toEqual([tag, locale])
})
