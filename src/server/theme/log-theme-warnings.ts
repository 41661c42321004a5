import { themeWarnings } from '#shop/operations/settings/appearance-warnings.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { ContentFiles } from '../content/content-files.ts'

/**
 * Logs likely mistakes in the theme: each once, until it is fixed and returns.
 * @returns a function that repeats the check
 */
export function themeWarningLog(
  tools: Pick<Tools, 'db' | 'settings' | 'log'>,
  content: Pick<ContentFiles, 'find'>,
): () => Promise<void> {
  let said: ReadonlySet<string> = new Set()
  return async () => {
    try {
      const warnings = await themeWarnings(tools.db.kysely, tools.settings, (slug) => content.find(slug) !== undefined)
      for (const warning of warnings) if (!said.has(warning)) tools.log.warn({ warning }, 'theme warning')
      said = new Set(warnings)
    } catch (error) {
      // Runs in the background, and again after the next change.
      tools.log.warn({ error: String(error) }, 'theme could not be checked')
    }
  }
}
