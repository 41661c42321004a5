import { nameRows } from '#database/catalog/index-rows.ts'
import type { Database } from '#database/connect.ts'
import { translatedTexts } from '#database/translated-words.ts'
import { numberOf, termsOf } from '#domain/catalog/product-index.ts'
import { searchWords } from '#domain/catalog/search-words.ts'
import { wordIndexDraft } from '#domain/catalog/word-index.ts'
import { normalise } from '#domain/translation/normalise.ts'
import { type Catalog, type CatalogTools, type Words, wordsOf } from './known-catalog.ts'
import type { Translator } from './translator.ts'

type Kept = {
  current: Promise<Words>
  /** What it was made of. */
  translator: Translator
  of: Catalog['words']
  madeAt: number
  tookMs: number
  underWay: boolean
}

/** While somebody translates, word by word, making the index anew takes no more than this part of the time. */
const shareOfTime = 20
const kept = new WeakMap<Database['sql'], Map<string, Kept>>()

/**
 * The words by which products are found in the language that is spoken: their names, and what they are filed under, each in
 * that language beside the merchant's own. Made when somebody first searches in it; later, when translations have changed,
 * behind the back of requests. Null in the merchant's own language, which has an index of everything.
 */
export async function wordsInLanguage(tools: CatalogTools, catalog: Catalog): Promise<Words | null> {
  const translator = await tools.translator()
  if (translator.isOwn) return null
  const { language } = translator
  const languages = kept.get(tools.db.sql) ?? new Map<string, Kept>()
  kept.set(tools.db.sql, languages)
  const known = languages.get(language)
  const fresh = () => begun(tools, catalog, translator)
  if (!known) {
    const first = fresh()
    languages.set(language, first)
    // A failure must not be remembered.
    first.current.catch(() => languages.get(language) === first && languages.delete(language))
    return first.current
  }
  // Products have other numbers by now: what was made of the old ones would name others.
  const isOther = known.of !== catalog.words
  const isOld = known.translator !== translator
  const nextAt = known.madeAt + known.tookMs * shareOfTime
  if ((isOther || (isOld && tools.clock.now().getTime() >= nextAt)) && !known.underWay) {
    known.underWay = true
    const next = fresh()
    next.current.then(
      () => languages.set(language, next),
      () => {
        known.underWay = false
      },
    )
    if (isOther) return next.current
  }
  return isOther ? null : known.current
}

function begun(tools: CatalogTools, catalog: Catalog, translator: Translator): Kept {
  const madeAt = tools.clock.now().getTime()
  const made: Kept = {
    current: read(tools, catalog, translator.language),
    translator,
    of: catalog.words,
    madeAt,
    tookMs: 0,
    underWay: false,
  }
  made.current.then(
    () => {
      made.tookMs = tools.clock.now().getTime() - madeAt
    },
    () => undefined,
  )
  return made
}

async function read({ db }: CatalogTools, { index, book }: Catalog, language: string): Promise<Words> {
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
  const draft = wordIndexDraft(index.size)
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
  return wordsOf(draft.finish())
}
