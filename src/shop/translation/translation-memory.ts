import type { ShopLanguage } from '#contract/translation/languages.ts'
import {
  dayOf,
  type PreloadedRow,
  readContent,
  readPreloaded,
  translationKey,
} from '#database/translation/translations.ts'
import { isInterfaceSource } from '#domain/translation/interface-english.ts'
import { isTranslatable, type Segment, splitMarkup } from '#domain/translation/markup.ts'
import { keepOuterSpace } from '#domain/translation/normalise.ts'
import { ownCopy } from '../shared/copy-string.ts'
import type { Tools } from '../shared/tools.ts'
import { boundedCache } from './bounded-cache.ts'
import { originalsBook } from './translation-originals.ts'
import {
  type CachedTranslation,
  type InterfaceWords,
  interfaceTranslator,
  type SlugKind,
  type Translator,
  wordsIn,
} from './translator.ts'

/** The translations cached in this process. */
export type TranslationMemory = {
  /** Returns a language's translator. @param own the tag of the merchant's language */
  translator(language: ShopLanguage, own: string): Promise<Translator>
  /** Invalidates languages, so that they are read again; default: all. */
  changed(languages?: readonly string[]): void
  /** Writes pending originals. */
  stop(): Promise<void>
}

/** For the content of all languages together. */
const contentBytes = 24 * 1024 * 1024

export function createTranslationMemory(tools: Pick<Tools, 'db' | 'clock' | 'log'>): TranslationMemory {
  const spoken = new Map<string, Promise<Translator>>()
  const book = originalsBook(tools)
  const share = () => contentBytes / Math.max(1, spoken.size)

  const make = async (tag: string, own: string): Promise<Translator> => {
    if (tag === own && isInterfaceSource(tag)) return interfaceTranslator(tag)
    const rows = await readPreloaded(tools.db.kysely, tag)
    const words = wordsOf(rows)
    if (tag === own) return interfaceTranslator(tag, words)
    return {
      language: tag,
      isOwn: false,
      sourceLanguage: own,
      ...wordsIn(tag, words),
      ...contentIn(tools, tag, { words, share, book }),
      ...slugsOf(rows),
    }
  }
  return {
    translator({ tag }, own) {
      const key = `${tag} ${own}`
      const known = spoken.get(key) ?? make(tag, own)
      spoken.set(key, known)
      // A failure must not be cached.
      known.catch(() => spoken.get(key) === known && spoken.delete(key))
      return known
    },
    changed(languages) {
      for (const key of spoken.keys()) {
        const [tag = ''] = key.split(' ')
        if (!languages || languages.includes(tag)) spoken.delete(key)
      }
    },
    stop: () => book.stop(),
  }
}

type Words = InterfaceWords & { known(original: string): CachedTranslation | undefined }

function wordsOf(rows: readonly PreloadedRow[]): Words {
  const known = new Map<string, CachedTranslation>()
  const plurals = new Map<string, Partial<Record<Intl.LDMLPluralRule, string>>>()
  for (const { area, original, form, id, translated, status } of rows) {
    if (area !== 'interface') continue
    if (form === '') known.set(original, { id, translated, status })
    else if (translated !== '') {
      const forms = plurals.get(original) ?? {}
      forms[form] = translated
      plurals.set(original, forms)
    }
  }
  return {
    one: (original) => known.get(original)?.translated || undefined,
    forms: (original) => plurals.get(original),
    known: (original) => known.get(original),
  }
}

function slugsOf(rows: readonly PreloadedRow[]): Pick<Translator, 'slug' | 'slugFrom'> {
  const there = new Map<string, string>()
  const back = new Map<string, string>()
  for (const { area, context, original, translated } of rows) {
    if (area !== 'slug' || translated === '') continue
    there.set(`${context}/${original}`, translated)
    // The older row of two equal translations has the URL.
    if (!back.has(`${context}/${translated}`)) back.set(`${context}/${translated}`, original)
  }
  return {
    slug: (kind: SlugKind, slug) => there.get(`${kind}/${slug}`) ?? slug,
    slugFrom: (kind: SlugKind, translated) => back.get(`${kind}/${translated}`),
  }
}

type Parts = {
  readonly words: Words
  readonly share: () => number
  readonly book: ReturnType<typeof originalsBook>
}

/** Null: unknown, or not translatable. */
type Known = CachedTranslation | null

/** Looks up the merchant's texts in batches and caches them until a change. */
function contentIn(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  language: string,
  { words, share, book }: Parts,
): Pick<Translator, 'texts' | 'markup' | 'remembered' | 'known'> {
  const lengthOf = (known: Known) => known?.translated.length ?? 0
  const plain = boundedCache(() => share() / 2, lengthOf)
  const marked = boundedCache(() => share() / 4, lengthOf)
  const whole = boundedCache<string>(
    () => share() / 4,
    (made) => made.length,
  )
  const cacheOf = ({ markup }: Segment) => (markup ? marked : plain)
  const nameOf = ({ text, markup }: Segment) => (markup ? `<${text}` : `>${text}`)

  /** @param keep true to record unknown texts: those of the shop itself, never a visitor's */
  const find = async (segments: readonly Segment[], keep: boolean): Promise<readonly Known[]> => {
    const remembered = segments.map((segment) => cacheOf(segment).get(segment.text))
    const wanted = new Map<string, Segment & { key: Buffer }>()
    for (const [index, segment] of segments.entries()) {
      if (remembered[index] !== undefined || segment.text === '' || !isTranslatable(segment.text)) continue
      const name = nameOf(segment)
      if (!wanted.has(name)) wanted.set(name, { ...segment, key: translationKey(segment.text, segment.markup) })
    }
    const fresh = new Map<string, CachedTranslation>()
    if (wanted.size > 0) {
      const today = dayOf(clock.now())
      const keys = [...wanted.values()].map(({ key }) => key)
      const rows = new Map((await readContent(db.kysely, language, keys)).map((row) => [row.key, row]))
      for (const [name, { key, ...segment }] of wanted) {
        const row = rows.get(key.toString('hex'))
        const known = row ? { id: row.id, translated: row.translated, status: row.status } : null
        if (known) fresh.set(name, known)
        // A text that is also an interface text (the default title of a payment method) is not translated twice.
        const isOwn = !segment.markup && words.one(segment.text) !== undefined
        if (keep && (row ? row.lastSeen < today : !isOwn)) book.note({ area: 'content', ...segment })
        // An unknown text of a visitor is not cached: it would evict the texts of pages.
        if (known || keep) cacheOf(segment).put(segment.text, known)
      }
    }
    return segments.map((segment, index) => remembered[index] ?? fresh.get(nameOf(segment)) ?? null)
  }
  const said = ({ text, markup }: Segment, known: Known | undefined): string => {
    if (known && known.translated !== '') return keepOuterSpace(text, known.translated)
    return (markup ? undefined : words.one(text)) ?? text
  }

  return {
    async texts(originals) {
      const segments = originals.map((text) => ({ text, markup: false }))
      const found = await find(segments, true)
      return segments.map((segment, index) => said(segment, found[index]))
    },
    async markup(originals) {
      const made = originals.map((html) => whole.get(html))
      const left = originals.flatMap((html, index) =>
        made[index] === undefined ? [{ html, split: splitMarkup(html) }] : [],
      )
      const segments = left.flatMap(({ split }) => split.segments)
      const found = await find(segments, true)
      let at = 0
      const fresh = new Map<string, string>()
      for (const { html, split } of left) {
        const texts = split.segments.map((segment) => said(segment, found[at++]))
        const put = split.with(texts)
        whole.put(html, ownCopy(put))
        fresh.set(html, put)
      }
      return originals.map((html, index) => made[index] ?? fresh.get(html) ?? html)
    },
    remembered: {
      text(original) {
        const known = plain.get(original)
        if (known !== undefined) return said({ text: original, markup: false }, known ?? undefined)
        return isTranslatable(original) ? undefined : original
      },
      markup: (original) => (original === '' ? '' : whole.get(original)),
    },
    async known(originals) {
      const found = await find(
        originals.map((text) => ({ text, markup: false })),
        false,
      )
      return originals.map((text, index) => {
        const content = found[index] ?? null
        if (content && content.translated !== '') return content
        return words.known(text) ?? content
      })
    },
  }
}
