import type { GetTranslationsInput } from '#contract/translation/get-translations.ts'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import { type TranslationEntry, translateLimits, wireLanguage } from '#contract/translation/translate.ts'
import { consumeRateLimit, consumeRateLimits } from '#database/operations/rate-limits.ts'
import { findTranslations, type LookedUp } from '#database/translation/look-up-texts.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { networkOf } from '#shop/shared/limit-attempts.ts'
import type { Call } from '../calls/shared/define-call.ts'
import { refuse } from '../calls/shared/refuse-call.ts'
import type { Visit } from '../http/visit.ts'

/** A page sends one or two requests; many visitors may share a network. */
const limit = { tries: 240, perMs: 60_000 }

/** Maximum number of texts that one translator's pages may add to the memory. */
const newTextsLimit = { tries: 50, perMs: 60 * 60_000 }

export type Asking = {
  readonly door: Call['door']
  /** The caller may correct translations, also of unpublished languages. */
  readonly staff: boolean
  /** The caller is in the editor: unknown texts get an id. */
  readonly editing: boolean
}

/**
 * Answers with translations from the memory for texts that appeared on a page later. Nothing is machine translated
 * here, and nothing from visitors is stored: unknown texts are left out.
 */
export async function translationsAnswer(visit: Visit, input: GetTranslationsInput, asking: Asking): Promise<Response> {
  if (bytesOf(visit, input) > translateLimits.bytes) {
    const kilobytes = translateLimits.bytes / 1024
    return refuse(asking, 413, 'body_too_large', `A request for translations holds at most ${kilobytes} KB.`)
  }
  const language = languageOf(visit, input.language, asking.staff)
  const original = languageOf(visit, input.original_language, asking.staff)
  if (!language || original?.slug !== '') return trouble(400)
  try {
    const { db } = visit.app.tools
    const waitMs = await consumeRateLimit(db, sha256(`translate|network|${networkOf(visit.ip)}`), limit, visit.now)
    if (waitMs > 0) {
      return refuse(asking, 429, 'too_many_requests', 'Too many translations were asked for. Please wait a moment.', {
        'Retry-After': String(Math.ceil(waitMs / 1000)),
      })
    }
    const all = asking.editing && input.all_languages === 'true'
    const wanted = all ? visit.app.languages().filter(({ slug }) => slug !== '') : [language]
    const entries = await entriesOf(visit, input, wanted, asking.editing)
    return Response.json(entries, { headers: { 'Cache-Control': 'private, max-age=60' } })
  } catch (error) {
    visit.app.tools.log.error({ requestId: visit.requestId, error: String(error) }, 'translations could not be read')
    return trouble(200)
  }
}

/** Returns the error code that makes the script use its other endpoint. */
function trouble(status: number): Response {
  return Response.json('error', { status, headers: { 'Cache-Control': 'no-store' } })
}

async function entriesOf(
  visit: Visit,
  { originals, skip_machine_translation }: GetTranslationsInput,
  languages: readonly ShopLanguage[],
  editing: boolean,
): Promise<TranslationEntry[]> {
  const { db } = visit.app.tools
  const texts = [...new Set(originals)].filter((text) => text.trim() !== '')
  const tags = languages.map(({ tag }) => tag)
  const found = await findTranslations(db.kysely, texts, tags)
  const ids = editing
    ? await idsOfNew(
        visit,
        texts.filter((text) => !found.has(text)),
      )
    : new Map<string, number>()
  const notByMachine = new Set(skip_machine_translation)
  return texts.flatMap((text): TranslationEntry[] => {
    const rows = found.get(text) ?? []
    const usable = rows.filter(({ status }) => status !== 0 && !(status === 1 && notByMachine.has(text)))
    const id = (usable[0] ?? rows[0])?.id ?? ids.get(text)
    if (editing ? id === undefined : usable.length === 0) return []
    const translations = languages.flatMap(({ tag }) => {
      const row: Pick<LookedUp, 'translated' | 'status'> | undefined =
        usable.find(({ language }) => language === tag) ?? (editing ? { translated: '', status: 0 } : undefined)
      if (!row) return []
      const translated = asEntities(row.translated)
      return [[wireLanguage(tag), { translated, status: row.status, editedTranslation: translated }] as const]
    })
    return [
      {
        type: 'regular',
        group: 'Dynamic Added Strings',
        original: text,
        ...(id === undefined ? {} : { dbID: id }),
        translationsArray: Object.fromEntries(translations),
      },
    ]
  })
}

/** Escapes ampersands, because the script decodes entities in the answer. */
function asEntities(text: string): string {
  return text.replace(/&(?=#|[A-Za-z]{2})/g, '&amp;')
}

/** Assigns ids to unknown texts on a translator's page, so that they can be translated. */
async function idsOfNew(visit: Visit, texts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { db } = visit.app.tools
  const bucket = sha256(`translate|new|${(await visit.session()).id}`)
  const unknown = texts.filter((text) => !isOwnAddress(text, visit.app.tools.publicUrl))
  const asked = { limit: newTextsLimit, wanted: unknown.length, now: visit.now }
  const taken = unknown.slice(0, await consumeRateLimits(db, bucket, asked))
  const path = visit.request.headers.get('referer') ?? ''
  const originals = taken.map((text) => ({
    area: 'content' as const,
    text,
    path: URL.canParse(path) ? new URL(path).pathname.slice(0, 500) : '',
  }))
  const ids = await saveOriginalsForIds(db.kysely, originals, visit.now)
  return new Map(taken.flatMap((text, at) => (typeof ids[at] === 'number' ? [[text, ids[at]] as const] : [])))
}

/** Checks for an address of the shop that is not a file: the shop itself localizes it. */
function isOwnAddress(text: string, publicUrl: string): boolean {
  if (!/^(?:https?:\/|\/|\?|#)/i.test(text) || !URL.canParse(text, publicUrl)) return false
  const { origin, pathname } = new URL(text, publicUrl)
  return origin === new URL(publicUrl).origin && !/\.[a-z0-9]{2,5}$/i.test(pathname)
}

/** @param code in the wire's form: `de_DE` */
function languageOf(visit: Visit, code: string, staff: boolean): ShopLanguage | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(code)) return undefined
  return visit.app
    .languages()
    .find(({ tag, published }) => wireLanguage(tag) === wireLanguage(code) && (published || staff))
}

/** Returns the size of a body; without a declared length, that of its content. */
function bytesOf({ request }: Visit, { originals, skip_machine_translation }: GetTranslationsInput): number {
  const said = request.headers.get('content-length')
  if (said !== null) return Number(said)
  return [...originals, ...skip_machine_translation].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
