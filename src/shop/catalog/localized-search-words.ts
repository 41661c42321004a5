import { nameRows } from '#database/catalog/index-rows.ts'
import { translatedTexts } from '#database/translation/translated-texts.ts'
import { numberOf, termsOf } from '#domain/catalog/product-index.ts'
import { searchWords } from '#domain/catalog/search-words.ts'
import { withoutStopWords } from '#domain/catalog/stop-words.ts'
import { wordIndexDraft } from '#domain/catalog/word-index.ts'
import { normalise } from '#domain/translation/normalise.ts'
import type { Translator } from '../translation/translator.ts'
import { type Catalog, type CatalogTools, type Words, wordsOf } from './cached-catalog.ts'

export type KeptWordIndex = {
  current: Promise<Words>
  /** The inputs of the index. */
  translator: Translator
  of: Catalog['words']
  madeAt: number
  /** Infinity while it is being created. */
  tookMs: number
  /** The replacement, once it is ready. */
  next: KeptWordIndex | null
}

/**
 * Up to this duration a search always waits for changed words. It must be short: machine translation changes them
 * constantly.
 */
const quickMs = 50
/** Up to this duration a search sometimes waits; longer builds run in the background. */
const longestWaitMs = 1_000
/** During continuous translation, rebuilding the index takes at most this share of the time (1/20). */
const shareOfTime = 20

/** @property isBehind translations have changed since: cached results become stale soon */
export type LocalizedWords = { readonly words: Words | null; readonly isBehind: boolean }

/**
 * Returns the index of localized product words: names and terms, each in the current language and the merchant's own.
 * It is built at the first search in a language. After changed translations it is rebuilt before the next search or, if
 * that takes long, in the background. Null in the merchant's own language, which has a full index, and after a failed
 * read: the full index then finds at least the original words.
 */
export async function localizedWordIndex(tools: CatalogTools, catalog: Catalog): Promise<LocalizedWords> {
  const translator = await tools.translator()
  if (translator.isOwn) return { words: null, isBehind: false }
  const { language } = translator
  const languages = tools.catalogCache.words
  let known: KeptWordIndex = languages.get(language) ?? storeFirst(startIndex(tools, catalog, translator), languages)
  // The products have new numbers: an index of the old ones would find others.
  const isOther = ({ of }: KeptWordIndex) => of !== catalog.words
  const isBehind = (one: KeptWordIndex) => isOther(one) || one.translator !== translator
  // Repeated: a build in progress may have started before the last change.
  for (let tries = 0; tries < 2 && isBehind(known); tries += 1) {
    const isDue = tools.clock.now().getTime() >= known.madeAt + known.tookMs * shareOfTime
    const waits = isOther(known) || known.tookMs <= (isDue ? longestWaitMs : quickMs)
    if (waits || isDue) known.next ??= storeReplacement(known, startIndex(tools, catalog, translator), languages)
    if (!waits || !known.next) break
    const { next } = known
    // After a failure the old words are used.
    const isThere = await next.current.then(
      () => true,
      () => false,
    )
    if (!isThere) break
    known = next
  }
  const words = isOther(known) ? null : await known.current.catch(() => null)
  return { words, isBehind: words === null || isBehind(known) }
}

/** @returns the first index of a language, shared by all callers; a failure is not cached */
function storeFirst(made: KeptWordIndex, languages: Map<string, KeptWordIndex>): KeptWordIndex {
  const { language } = made.translator
  languages.set(language, made)
  made.current.catch(() => languages.get(language) === made && languages.delete(language))
  return made
}

/** @returns the new index, which replaces the old one once it is ready; after a failure the old one stays */
function storeReplacement(
  old: KeptWordIndex,
  fresh: KeptWordIndex,
  languages: Map<string, KeptWordIndex>,
): KeptWordIndex {
  fresh.current.then(
    () => languages.set(fresh.translator.language, fresh),
    () => {
      old.next = null
    },
  )
  return fresh
}

function startIndex(tools: CatalogTools, catalog: Catalog, translator: Translator): KeptWordIndex {
  const madeAt = tools.clock.now().getTime()
  const made: KeptWordIndex = {
    current: readWords(tools, catalog, translator),
    translator,
    of: catalog.words,
    madeAt,
    tookMs: Number.POSITIVE_INFINITY,
    next: null,
  }
  made.current.then(
    () => {
      made.tookMs = tools.clock.now().getTime() - madeAt
    },
    (error: unknown) =>
      tools.log.warn({ language: translator.language, error: String(error) }, 'localized search index not built'),
  )
  return made
}

async function readWords(
  { db }: CatalogTools,
  { index, book }: Catalog,
  { language, sourceLanguage }: Translator,
): Promise<Words> {
  const languages = [language, sourceLanguage]
  const said = new Map<string, string>()
  for await (const rows of translatedTexts(db.sql, language)) {
    for (const { original, translated } of rows) said.set(normalise(original), translated)
  }
  const translationOf = (text: string) => said.get(normalise(text))
  const inBoth = (text: string) => searchWords(`${translationOf(text) ?? ''} ${text}`)
  const termWords = new Map<number, readonly string[]>()
  const wordsOfTerm = (term: number): readonly string[] => {
    const words = termWords.get(term) ?? inBoth(book.label(term))
    termWords.set(term, words)
    return words
  }
  const draft = wordIndexDraft(index.size, (name) => withoutStopWords(name, languages))
  let last = -1
  for await (const rows of nameRows(db.sql)) {
    for (const { id, name, own } of rows) {
      const nr = numberOf(index, id)
      // Moved since the products were read: the next version has it.
      if (nr <= last) continue
      last = nr
      const translated = translationOf(name)
      draft.add(nr, {
        name: searchWords(translated ?? name),
        short: [
          ...(translated === undefined ? [] : searchWords(name)),
          ...own.flatMap(inBoth),
          ...Array.from(termsOf(index, nr), wordsOfTerm).flat(),
        ],
        text: [],
      })
    }
  }
  return wordsOf(draft.finish(), languages)
}
