import { z } from 'zod'

/** Attribution of orders: stored in cookies of the visitor's browser and posted with the order. */
export const attributionSettings = z.object({
  enabled: z.boolean().default(true),
  lifetimeMonths: z
    .number()
    .min(0)
    .max(120)
    .default(6)
    .describe('a month is 30 days; 0.00001: until the browser closes'),
  sessionMinutes: z.number().int().min(1).max(1440).default(30),
  base64: z.boolean().default(false),
  /** Category of the required consent, where visitors are asked. */
  consentCategory: z.enum(['functional', 'preferences', 'statistics', 'marketing']).default('marketing'),
})

/** Settings of the consent banner, which asks visitors before optional data is stored. */
export const consentSettings = z.object({
  banner: z
    .boolean()
    .default(false)
    .describe('asks visitors for consent; nothing optional is stored before they agree'),
  policyPage: z.string().max(200).default('/privacy-policy/').describe('path of the privacy policy'),
  days: z.number().int().min(1).max(730).default(180).describe('number of days that an answer is valid'),
  categories: z
    .array(z.enum(['preferences', 'statistics', 'marketing']))
    .max(3)
    .default([])
    .describe('additional categories, for third-party scripts'),
})

/** The shop's own visitor statistics. They store nothing in the browser, and no personal data. */
export const statisticsSettings = z.object({
  enabled: z.boolean().default(true),
  /** The name of the public interface: pages report their views themselves, since they may come from a cache. */
  cacheCompatibility: z.boolean().default(true),
  honourDoNotTrack: z.boolean().default(true),
  needsConsent: z.boolean().default(false).describe('counts only visits with consent'),
  keepMonths: z.number().int().min(1).max(25).default(25),
  countryHeader: z
    .string()
    .max(60)
    .default('cf-ipcountry')
    .describe('request header with the visitor’s country, set by the reverse proxy'),
  excludedPaths: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe('excluded paths; * matches anything'),
})

export type AttributionSettings = z.infer<typeof attributionSettings>
export type ConsentSettings = z.infer<typeof consentSettings>
export type StatisticsSettings = z.infer<typeof statisticsSettings>
