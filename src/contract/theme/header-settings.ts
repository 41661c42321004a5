import { z } from 'zod'

/** The behaviour of the header on scrolling. */
const headerMode = z.object({
  sticky: z
    .enum(['none', 'fixed', 'reveal'])
    .default('reveal')
    .describe(
      'none: scrolls with the page; fixed: always visible; reveal: hidden on scrolling down, visible on scrolling up',
    ),
  shrink: z.boolean().default(false).describe('its inner row shrinks after scrolling'),
  shrinkHeight: z.number().int().min(32).max(200).default(60).describe('height of the shrunk inner row, in CSS pixels'),
})

export const headerSettings = z.object({
  desktop: headerMode.prefault({}),
  mobile: headerMode.prefault({}),
  scrollToTop: z.boolean().default(true).describe('shows a scroll-to-top button on long pages'),
  scrollOffset: z
    .number()
    .int()
    .min(0)
    .max(500)
    .default(0)
    .describe('space above the target of a link within the page, in CSS pixels'),
  breakPoints: z
    .object({
      desktop: z.number().int().min(320).max(4000).default(1024),
      tablet: z.number().int().min(320).max(4000).default(768),
    })
    .prefault({})
    .describe('minimum widths, in CSS pixels'),
})

export type HeaderSettings = z.output<typeof headerSettings>
