import { z } from 'zod'

/** Where browsers tell what a page's content policy has kept out of it. */
export const policyReportPath = '/api/policy-report'

/** No report of a browser is longer; what is longer was made by somebody else. */
export const policyReportBytes = 8 * 1024

const text = z.string().max(4096)

/** The members of a report that anybody reads, as browsers write them; they send others besides. */
export const policyReport = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text.default(''),
    'violated-directive': text.default(''),
    'blocked-uri': text.default(''),
    disposition: z.enum(['enforce', 'report']).default('enforce'),
  }),
})

export type PolicyReport = z.output<typeof policyReport>
