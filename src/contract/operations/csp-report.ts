import { z } from 'zod'

/** The endpoint of browsers' reports about violations of the content security policy. */
export const policyReportPath = '/api/policy-report'

/** Browsers' reports are shorter; a longer one is forged. */
export const policyReportBytes = 8 * 1024

const text = z.string().max(4096)

/** The used members of a report, in the browsers' format; they send others too. */
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
