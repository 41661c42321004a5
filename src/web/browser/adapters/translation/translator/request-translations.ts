import { type TranslationEntry, type TranslatorSettings, translateAction } from '#contract/translation/translate.ts'
import { isRecord, parseJson } from '../../../runtime/request.ts'

export type Door = 'fast' | 'platform'

/** Posts a form. @returns the body of a success @throws without a response, or for an error */
export type Send = (door: Door, fields: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<string>

export type TranslatorLog = { notice(text: string): void; error(text: string): void }

export type TranslationRequestParts = {
  readonly settings: TranslatorSettings
  /** The editor uses only the platform's endpoint. */
  readonly editing: boolean
  readonly send: Send
  readonly later: (work: () => void, ms: number) => void
  readonly log: TranslatorLog
}

/** How long a door may take, and a text may be blank. */
export const requestTimeoutMs = 3000

/**
 * Requests translations: from the fast endpoint, and after `error` or no response, once from the platform's.
 * @param skipMachine the texts to exclude from machine translation
 * @returns null when both failed; the reason is logged
 */
export async function fetchTranslations(
  { settings, editing, send, later, log }: TranslationRequestParts,
  originals: readonly string[],
  skipMachine: readonly string[],
): Promise<readonly TranslationEntry[] | null> {
  const fields = {
    action: translateAction,
    all_languages: 'false',
    security: settings.gettranslationsnonceregular,
    language: settings.trp_language_to_query,
    original_language: settings.trp_original_language,
    originals: JSON.stringify(originals),
    skip_machine_translation: JSON.stringify(skipMachine),
    dynamic_strings: 'true',
    translate_numerals_opt: settings.trp_translate_numerals_opt,
  }
  const attempt = async (door: Door) => {
    const patience = new AbortController()
    later(() => patience.abort(new Error(`no answer in ${requestTimeoutMs} ms`)), requestTimeoutMs)
    return entriesIn(await send(door, fields, patience.signal))
  }
  const oneDoor = editing || settings.trp_custom_ajax_url === settings.trp_wp_ajax_url
  if (!oneDoor) {
    try {
      return await attempt('fast')
    } catch (error) {
      log.notice(`Translations: ${reason(error)}; the other door is asked.`)
    }
  }
  try {
    return await attempt('platform')
  } catch (error) {
    log.error(`Translations: ${reason(error)}; the texts stay as they are.`)
    return null
  }
}

/** @throws for another format than a list of entries; null, like an empty list, means no translations */
function entriesIn(text: string): readonly TranslationEntry[] {
  const answer = parseJson(text)
  if (answer === null) return []
  if (!Array.isArray(answer))
    throw new Error(answer === 'error' ? 'the server says error' : 'an answer that is no list')
  return answer.filter(isEntry)
}

function isEntry(value: unknown): value is TranslationEntry {
  return isRecord(value) && typeof value.original === 'string' && isRecord(value.translationsArray)
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))
