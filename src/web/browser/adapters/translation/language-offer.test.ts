import { expect, it } from 'vitest'
import { offeredLanguage } from './language-offer.ts'

it.each([
  ['de-AT', ['en-US', 'de-DE', 'fr-FR'], 'de-DE'],
  ['en-GB', ['en-US', 'de-DE'], undefined],
  ['it', ['en-US', 'de-DE'], undefined],
  ['zh-TW', ['en-US', 'zh-CN'], undefined],
  ['zh-TW', ['en-US', 'zh-CN', 'zh-HK'], 'zh-HK'],
  ['no such tag', ['en-US', 'de-DE'], undefined],
] as const)('TRN-08 who reads %s is offered, of %s, %s', (read, spoken, offered) => {
  expect(offeredLanguage([read], spoken)).toBe(offered)
})

it('TRN-08 offers the first language that is spoken, and none before which the present one stands', () => {
  expect(offeredLanguage(['it', 'fr-CA', 'de'], ['en-US', 'de-DE', 'fr-FR'])).toBe('fr-FR')
  expect(offeredLanguage(['it', 'en', 'de'], ['en-US', 'de-DE'])).toBe(undefined)
  expect(offeredLanguage([], ['en-US', 'de-DE'])).toBe(undefined)
})
