import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { transaction } from '#database/engine/connect.ts'
import type { PluralForm } from '#database/engine/schema/translation.ts'
import { forgetOriginals, keepDigest, lockSeeds, seedDigests, writeSeeds } from '#database/translation/seeds.ts'
import { type Original, saveOriginalsForIds, translationsChanged } from '#database/translation/translations.ts'
import { britishEnglish, isEnglish, isInterfaceSource } from '#domain/translation/interface-english.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { openSlugCheck } from './slug-check.ts'

type SeedTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'log' | 'pageSlugs'>

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
/** Originals and their translations; of a count, one for each plural category. */
const words = z.record(z.string(), z.union([z.string(), z.partialRecord(z.enum(forms), z.string())]))
const slugs = z.partialRecord(
  z.enum(['product', 'category', 'tag', 'page', 'base']),
  z.record(z.string(), z.string().regex(/^[^/?#\s]+$/)),
)

type Entry = { readonly original: Original; readonly form: PluralForm; readonly translated: string }

/**
 * Imports the shop's interface words for each language with a file: `de-DE.json`, or `de.json` without a regional file.
 * The file of British English contains only words that differ; other regions share it. An imported file only costs a
 * digest.
 * @returns the languages with changes
 */
export async function importInterfaceWords(
  tools: SeedTools,
  folder: string,
  languages: readonly string[],
): Promise<string[]> {
  if (languages.length === 0) return []
  const files = new Set((await readdir(folder)).filter((name) => name.endsWith('.json')).sort())
  const digests = await seedDigests(tools.db.kysely)
  const fresh: string[] = []
  const fileOf = (tag: string) => [`${tag}.json`, `${fileLanguage(tag)}.json`].find((name) => files.has(name)) ?? null
  // A language without a complete file has texts to translate too: the originals of any file.
  const anyFile = [...files].find((name) => name !== britishFile)
  const read = async (name: string) => ({ path: join(folder, name), text: await readFile(join(folder, name), 'utf8') })
  for (const language of new Set(languages)) {
    const own = fileOf(language)
    const isPart = own === britishFile || (own === null && isEnglish(language))
    const whole = isPart ? anyFile : (own ?? anyFile)
    if (!whole) continue
    const all = await read(whole)
    const differing = own === britishFile ? await read(own) : null
    const digest = sha256(differing ? `${all.text}${differing.text}` : all.text)
    if (digests.get(`${language} words`) === digest) continue
    const words = wordsIn(all.text, 'interface', all.path)
    const entries = isPart ? englishWords(words, differing) : words
    const originalsOnly = own === null && !isPart
    await takeIn(tools, { language, file: 'words', digest, area: 'interface', entries, originalsOnly })
    fresh.push(language)
  }
  return fresh
}

/**
 * Imports the words of all languages of the shop. An unreadable file is logged and skipped: the shop opens without it.
 */
export async function importShopWords(tools: SeedTools & Pick<Tools, 'settings'>, folder: string): Promise<void> {
  const { language: own, languages } = tools.settings
  const spoken = [own, ...languages.map(({ tag }) => tag)].filter((tag, index) => index > 0 || !isInterfaceSource(tag))
  try {
    const fresh = await importInterfaceWords(tools, folder, spoken)
    if (fresh.length > 0) tools.log.info({ languages: fresh }, 'interface words imported')
  } catch (error) {
    tools.log.error({ error: String(error) }, 'interface words not imported')
  }
}

const britishFile = `${britishEnglish}.json`

/** Returns the name of the file that regions of a language share. American English is the source and has none. */
function fileLanguage(tag: string): string {
  if (!isEnglish(tag)) return new Intl.Locale(tag).language ?? tag
  return isInterfaceSource(tag) ? '' : britishEnglish
}

/** Returns the words of a form of English: those of its file, and the originals for all other texts. */
function englishWords(all: readonly Entry[], differing: { text: string; path: string } | null): Entry[] {
  const own = differing ? wordsIn(differing.text, 'interface', differing.path) : []
  const differs = new Set(own.map(({ original }) => original.text))
  const others = all.filter(({ original }) => !differs.has(original.text))
  // The file of another language does not contain the English singular of a count.
  return [...own, ...others.map((one) => ({ ...one, translated: one.form === '' ? one.original.text : '' }))]
}

/** Imports translations of the merchant's own texts and slugs from a folder: `de.json` and `slugs.de.json`. */
export async function importContentTranslations(
  tools: SeedTools,
  folder: string,
  languages: readonly string[],
): Promise<void> {
  const files = new Set(await readdir(folder).catch(() => []))
  for (const tag of languages) {
    const name = [tag, new Intl.Locale(tag).language].find((part) => files.has(`${part}.json`))
    if (name === undefined) continue
    const text = await readFile(join(folder, `${name}.json`), 'utf8')
    const content = wordsIn(text, 'content', join(folder, `${name}.json`))
    await takeIn(tools, { language: tag, file: 'content', digest: sha256(text), area: 'content', entries: content })
    if (!files.has(`slugs.${name}.json`)) continue
    const addresses = await readFile(join(folder, `slugs.${name}.json`), 'utf8')
    const entries = Object.entries(parsed(slugs, addresses, join(folder, `slugs.${name}.json`))).flatMap(
      ([context, all = {}]) =>
        Object.entries(all).map(
          ([slug, translated]): Entry => ({ original: { area: 'slug', context, text: slug }, form: '', translated }),
        ),
    )
    await takeIn(tools, { language: tag, file: 'slugs', digest: sha256(addresses), area: 'slug', entries })
  }
}

function wordsIn(text: string, area: 'interface' | 'content', file: string): Entry[] {
  return Object.entries(parsed(words, text, file)).flatMap(([key, said]): Entry[] => {
    const original = { area, text: key, markup: area === 'content' && /<[a-z]/i.test(key) }
    if (typeof said === 'string') return [{ original, form: '', translated: said }]
    return forms.flatMap((form) => {
      const translated = said[form]
      return translated === undefined ? [] : [{ original, form, translated }]
    })
  })
}

/** @throws an error that names the file */
function parsed<Value>(schema: z.ZodType<Value>, text: string, file: string): Value {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is not a translation file: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Intake = {
  readonly language: string
  readonly file: string
  readonly digest: string
  readonly area: 'interface' | 'content' | 'slug'
  readonly entries: readonly Entry[]
  readonly originalsOnly?: boolean
}

async function takeIn(tools: SeedTools, { language, file, digest, area, entries, originalsOnly }: Intake) {
  const originals = entries.map(({ original }) => original)
  await transaction(tools, async (tx) => {
    await lockSeeds(tx)
    // Another process may have imported it meanwhile.
    if ((await seedDigests(tx)).get(`${language} ${file}`) === digest) return
    const ids = await saveOriginalsForIds(tx, originals, tools.clock.now())
    const seeds = new Map<string, { originalId: number; form: PluralForm; translated: string }>()
    const slugs = area === 'slug' ? await openSlugCheck(tx, tools.pageSlugs()) : null
    for (const [index, { original, form, translated }] of entries.entries()) {
      const originalId = ids[index]
      const change = { language, kind: original.context ?? '', own: original.text, translated }
      const problem = await slugs?.problem(change)
      if (problem) {
        tools.log.warn({ ...change, problem }, 'translated slug skipped')
        continue
      }
      slugs?.add(change)
      if (originalId && translated !== '') seeds.set(`${originalId} ${form}`, { originalId, form, translated })
    }
    const now = tools.clock.now()
    if (!originalsOnly) await writeSeeds(tx, { language, area, seeds: [...seeds.values()], now })
    if (area === 'interface') {
      const kept = ids.filter((id) => id !== null)
      await forgetOriginals(tx, kept)
    }
    await keepDigest(tx, { language, file, digest })
    await translationsChanged(tx, [language], [area])
  })
}
