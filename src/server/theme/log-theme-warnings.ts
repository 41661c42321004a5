import { themeWarnings } from '#shop/operations/settings/appearance-warnings.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { ContentFiles } from '../content/content-files.ts'

/**
 * Says in the log what of the look was surely not meant: once, until it is put right and comes again.
 * @returns looks again
 */
export function themeWarningLog(
  tools: Pick<Tools, 'db' | 'settings' | 'log'>,
  content: Pick<ContentFiles, 'find'>,
): () => Promise<void> {
  let said: ReadonlySet<string> = new Set()
  return async () => {
    try {
      const warnings = await themeWarnings(tools.db.kysely, tools.settings, (slug) => content.find(slug) !== undefined)
      for (const warning of warnings) if (!said.has(warning)) tools.log.warn({ warning }, 'the look of the shop')
      said = new Set(warnings)
    } catch (error) {
      // Nobody waits for this, and the next change looks again.
      tools.log.warn({ error: String(error) }, 'the look of the shop could not be checked')
    }
  }
}
