import { relative } from 'node:path'
import { z } from 'zod'

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
})

/**
 * Which tests passed only when tried again, as `file > title`: what Vitest's JSON tells and its JUnit file does not.
 * @param root the folder that files are told from
 */
export function readRetried(text: string, root: string): Set<string> {
  const found = new Set<string>()
  for (const { name, assertionResults } of report.parse(JSON.parse(text)).testResults) {
    for (const { ancestorTitles, title, status, failureMessages } of assertionResults) {
      if (status === 'passed' && failureMessages.length > 0)
        found.add([relative(root, name), ...ancestorTitles, title].join(' > '))
    }
  }
  return found
}
