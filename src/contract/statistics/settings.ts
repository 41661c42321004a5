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

/** Whether visitors are asked before optional data is stored. */
export const consentSettings = z.object({
  banner: z.boolean().default(false).describe('whether visitors are asked; nothing optional is kept before they agree'),
  policyPage: z.string().max(200).default('/privacy-policy/').describe('where the shop says what it keeps'),
  days: z.number().int().min(1).max(730).default(180).describe('for how long an answer holds'),
  categories: z
    .array(z.enum(['preferences', 'statistics', 'marketing']))
    .max(3)
    .default([])
    .describe('asked for as well, for scripts that others brought'),
})

/** The shop's own visitor statistics. They store nothing in the browser, and no personal data. */
export const statisticsSettings = z.object({
  enabled: z.boolean().default(true),
  /** The name of the public interface: pages report their views themselves, since they may come from a cache. */
  cacheCompatibility: z.boolean().default(true),
  honourDoNotTrack: z.boolean().default(true),
  needsConsent: z.boolean().default(false).describe('whether only visits are counted whose visitors agreed to it'),
  keepMonths: z.number().int().min(1).max(25).default(25),
  countryHeader: z.string().max(60).default('cf-ipcountry').describe('in which a proxy in front names the country'),
  excludedPaths: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe('not counted; * stands for anything'),
})

export type AttributionSettings = z.infer<typeof attributionSettings>
export type ConsentSettings = z.infer<typeof consentSettings>
export type StatisticsSettings = z.infer<typeof statisticsSettings>
