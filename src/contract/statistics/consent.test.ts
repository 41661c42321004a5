import { describe, expect, it } from 'vitest'
import { type ConsentNeeds, consentCategoriesInUse, consents } from './consent.ts'

const said = (answers: Record<string, string>) => (category: string) => answers[category]

describe('whether something may be kept', () => {
  it.each([
    ['asked, no answer', {}, true, false, false],
    ['not asked, no answer', {}, false, false, true],
    ['asked, allowed', { marketing: 'allow' }, true, false, true],
    ['asked, denied', { marketing: 'deny' }, true, false, false],
    ['not asked, denied all the same', { marketing: 'deny' }, false, false, false],
    ['not asked, but the browser speaks for its user', {}, false, true, false],
    ['allowed in so many words, whatever the browser says', { marketing: 'allow' }, false, true, true],
    ['a forged answer is none', { marketing: 'allow%20' }, true, false, false],
    ['nor is one of 8 KB', { marketing: 'allow'.repeat(1700) }, true, false, false],
    ['nor one in capitals', { marketing: 'ALLOW' }, true, false, false],
    ['an answer for something else is none for this', { statistics: 'allow' }, true, false, false],
  ])('ATTR-05 %s', (_, answers, asked, gpc, allowed) => {
    expect(consents('marketing', { answer: said(answers), asked, gpc })).toBe(allowed)
  })

  it('ATTR-05 what the shop cannot do without needs no answer, and preferences are nobody following anyone', () => {
    expect(consents('functional', { answer: said({ functional: 'deny' }), asked: true, gpc: true })).toBe(true)
    expect(consents('preferences', { answer: said({}), asked: false, gpc: true })).toBe(true)
    expect(consents('statistics', { answer: said({}), asked: false, gpc: true })).toBe(false)
    expect(consents('statistics-anonymous', { answer: said({}), asked: false, gpc: true })).toBe(false)
  })
})

describe('what is asked for', () => {
  const needs = (
    attribution: Partial<ConsentNeeds['attribution']> = {},
    consent: Partial<ConsentNeeds['consent']> = {},
    statistics: Partial<ConsentNeeds['statistics']> = {},
  ): ConsentNeeds => ({
    attribution: { enabled: true, consentCategory: 'marketing', ...attribution },
    consent: { banner: true, categories: [], ...consent },
    statistics: { enabled: true, needsConsent: false, ...statistics },
  })

  it.each([
    ['only what the shop does', needs(), ['marketing']],
    ['statistics where they need it', needs({}, {}, { needsConsent: true }), ['statistics', 'marketing']],
    ['nothing for statistics that are off', needs({}, {}, { needsConsent: true, enabled: false }), ['marketing']],
    ['nothing where nothing depends on it', needs({ enabled: false }), []],
    ['nothing for what is necessary', needs({ consentCategory: 'functional' }), []],
    [
      'what other scripts need, each once',
      needs({}, { categories: ['marketing', 'preferences'] }),
      ['preferences', 'marketing'],
    ],
    ['nobody without a banner', needs({}, { banner: false, categories: ['preferences'] }), []],
    ['statistics still need it without one', needs({}, { banner: false }, { needsConsent: true }), ['statistics']],
  ])('ATTR-05 %s', (_, settings, asked) => {
    expect(consentCategoriesInUse(settings)).toEqual(asked)
  })
})
