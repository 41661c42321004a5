import type { PeriodName } from '#domain/statistics/report-period.ts'
import type { StatisticsReport } from '#shop/statistics/read-statistics.ts'

type T = (original: string) => string
type Channel = StatisticsReport['channels'][number]['channel']
type Exclusion = StatisticsReport['exclusions'][number]['reason']

export function periodWords(t: T): Readonly<Record<PeriodName, string>> {
  return {
    today: t('Today'),
    yesterday: t('Yesterday'),
    '7-days': t('7 days'),
    '30-days': t('30 days'),
    '90-days': t('90 days'),
    '12-months': t('12 months'),
  }
}

export function channelWords(t: T): Readonly<Record<Channel, string>> {
  return {
    direct: t('Direct'),
    search: t('Search engines'),
    social: t('Social networks'),
    email: t('Email'),
    referral: t('Other websites'),
    paid: t('Paid advertising'),
    campaign: t('Other campaigns'),
  }
}

export function exclusionWords(t: T): Readonly<Record<Exclusion, string>> {
  return {
    robot: t('Bots'),
    prefetch: t('Preloaded and never viewed'),
    'do-not-track': t('Asked not to be tracked'),
    'global-privacy-control': t('Asked for privacy'),
    'cross-site': t('Calls from other websites'),
    staff: t('Your own staff'),
    '404': t('Pages that do not exist'),
    path: t('Pages excluded by the settings'),
    'too-many': t('More views than one person makes'),
    shed: t('Skipped while the shop was busy'),
  }
}

/** Returns names of device types from the reports; an unknown name is shown unchanged. */
export function deviceWords(t: T): Readonly<Record<string, string>> {
  return { Desktop: t('Computer'), Mobile: t('Smartphone'), Tablet: t('Tablet') }
}

/** Returns the name of a country, language or currency code; the code itself if the language has no name. */
export function nameOf(language: string, type: 'region' | 'language' | 'currency', code: string): string {
  try {
    return new Intl.DisplayNames(language, { type }).of(code) ?? code
  } catch {
    return code
  }
}
