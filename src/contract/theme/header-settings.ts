import { z } from 'zod'

/** The behaviour of the header on scrolling. */
const headerMode = z.object({
  sticky: z
    .enum(['none', 'fixed', 'reveal'])
    .default('reveal')
    .describe(
      'none: it leaves with the page; fixed: it stays; reveal: it leaves on the way down and comes on the way up',
    ),
  shrink: z.boolean().default(false).describe('whether its inner row becomes lower once the page has been scrolled'),
  shrinkHeight: z.number().int().min(32).max(200).default(60).describe('of the inner row, in CSS pixels'),
})

export const headerSettings = z.object({
  desktop: headerMode.prefault({}),
  mobile: headerMode.prefault({}),
  scrollToTop: z.boolean().default(true).describe('a button that leads back to the top of a long page'),
  scrollOffset: z
    .number()
    .int()
    .min(0)
    .max(500)
    .default(0)
    .describe('room above the target of a link within the page, in CSS pixels'),
  breakPoints: z
    .object({
      desktop: z.number().int().min(320).max(4000).default(1024),
      tablet: z.number().int().min(320).max(4000).default(768),
    })
    .prefault({})
    .describe('from these widths on, in CSS pixels'),
})

export type HeaderSettings = z.output<typeof headerSettings>
