import { type Origin, originOf } from '#domain/attribution/origin.ts'
import { type Translator, wordsIn } from '../translation/translator.ts'
import { storedAttribution, type Touch } from './attribution-intake.ts'

/** Returns the localized origin of an order: `Organic: Google`. */
export function originText(origin: Origin, t: Translator['t']): string {
  switch (origin.kind) {
    case 'source':
      return t('Source: %s', origin.name)
    case 'organic':
      return t('Organic: %s', origin.name)
    case 'referral':
      return t('Referral: %s', origin.name)
    case 'direct':
      return t('Direct')
    case 'web-admin':
      return t('Web admin')
    case 'mobile-app':
      return t('Mobile app')
    case 'point-of-sale':
      return t('Point of Sale')
    case 'unknown':
      return t('Unknown')
  }
}

/** @param attribution as stored with an order */
export function originOfOrder({ attribution }: { attribution: Readonly<Record<string, unknown>> }): Origin {
  return originOfTouch(storedAttribution(attribution))
}

export const originOfTouch = (touch: Touch): Origin => originOf(touch.source_type, touch.utm_source)

const { t: english } = wordsIn('en-US')

/** For commands, whose output is English. */
export const originInEnglish = (origin: Origin): string => originText(origin, english)
