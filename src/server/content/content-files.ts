import { isUtf8 } from 'node:buffer'
import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Log } from '#contract/shared/environment.ts'
import { pageFileName } from '#shop/content/page-slugs.ts'
import { type FrontMatter, parseContent } from './front-matter.ts'

/** A static page, as parsed from its file. */
export type ContentPage = FrontMatter & {
  readonly slug: string
  /** From a file name like `terms.de.md`; null: the shop's own language. */
  readonly language: string | null
  readonly markdown: string
  /** Modification time of the file. */
  readonly changedAt: Date
}

/** The data of a page for menus. */
export type ContentEntry = Pick<ContentPage, 'slug' | 'title' | 'description' | 'menu' | 'order'>

export type ContentFiles = {
  /**
   * Returns every page once, in menu order: translated into a language where a file exists, otherwise in the shop's
   * own. The file in the shop's own language determines the place in menus.
   */
  contentPages(language?: string): readonly ContentEntry[]
  /** Returns a page in a language, or in the shop's own if there is no such file. */
  find(slug: string, language?: string): ContentPage | undefined
  /** Returns the slugs of all pages. The same set until a file changes. */
  slugs(): ReadonlySet<string>
  /** Checks for changed files, for file systems without notifications; at most once a second. */
  look(): Promise<void>
  stop(): void
}

type Options = {
  /** Null: a shop without static pages. */
  readonly folder: string | null
  /** Checks for first path segments that the shop uses itself. Called at each reading. */
  readonly reserved: (slug: string) => boolean
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Called after a change, when the pages are up to date. */
  readonly onChange: () => void
}

const largestFile = 512 * 1024
const settleMs = 50
const lookEveryMs = 1000

/**
 * Reads the static pages of a folder, and follows changes without a restart. A fault is one log line that names the
 * file; other pages, and the last valid version of this one, are still served.
 */
export async function readContentFiles(options: Options): Promise<ContentFiles> {
  const { folder, clock, log, onChange } = options
  let pages = new Map<string, ContentPage>()
  let slugs: ReadonlySet<string> = new Set()
  let stamp: string | null = null
  let lookedAt = clock.now().getTime()
  let reading: Promise<void> = Promise.resolve()

  const readAgain = (): Promise<void> => {
    const next = reading.then(async () => {
      if (folder === null) return
      lookedAt = clock.now().getTime()
      const files = await listed(folder)
      if (files.length === 0 && stamp === null) log.warn({ folder }, 'content folder missing or empty')
      const now = files.map(({ name, changedMs, bytes }) => `${name} ${changedMs} ${bytes}`).join('\n')
      if (now === stamp) return
      const first = stamp === null
      stamp = now
      pages = await readAll(folder, files, pages, options)
      slugs = new Set([...pages.values()].filter(({ language }) => language === null).map(({ slug }) => slug))
      if (!first) onChange()
    })
    reading = next.catch((error: unknown) =>
      log.error({ folder, error: String(error) }, 'static pages could not be read'),
    )
    return reading
  }
  await readAgain()
  const find: ContentFiles['find'] = (slug, language) =>
    (language === undefined
      ? undefined
      : (pages.get(`${slug}.${language}`) ?? pages.get(`${slug}.${language.split('-')[0]}`))) ?? pages.get(slug)

  // A file is often written in several steps: wait for the last one.
  let settling: ReturnType<typeof setTimeout> | undefined
  const watcher = watched(folder, () => {
    clearTimeout(settling)
    settling = setTimeout(() => void readAgain(), settleMs)
    settling.unref()
  })
  return {
    contentPages: (language) =>
      [...pages.values()]
        .filter((page) => page.language === null)
        .toSorted((one, other) => one.order - other.order || (one.title < other.title ? -1 : 1))
        .map(({ slug, title, description, menu, order }) => {
          const said = find(slug, language)
          return { slug, title: said?.title ?? title, description: said?.description ?? description, menu, order }
        }),
    find,
    slugs: () => slugs,
    async look() {
      const passedMs = clock.now().getTime() - lookedAt
      if (passedMs < 0 || passedMs >= lookEveryMs) await readAgain()
    },
    stop() {
      clearTimeout(settling)
      watcher?.close()
    },
  }
}

/** Some file systems send no notifications, and watchers may run out: then `look` finds changes. */
function watched(folder: string | null, changed: () => void): FSWatcher | undefined {
  if (folder === null) return undefined
  try {
    return watch(folder, { persistent: false }, changed).on('error', () => {})
  } catch {
    return undefined
  }
}

type Listed = { name: string; changedMs: number; bytes: number }

async function listed(folder: string): Promise<readonly Listed[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.md'))
      .map(async (name) => {
        // Deleted since the folder was listed.
        const facts = await stat(join(folder, name)).catch(() => null)
        return facts?.isFile() ? [{ name, changedMs: facts.mtimeMs, bytes: facts.size }] : []
      }),
  )
  return files.flat().toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function readAll(
  folder: string,
  files: readonly Listed[],
  before: ReadonlyMap<string, ContentPage>,
  { log, reserved }: Options,
): Promise<Map<string, ContentPage>> {
  const pages = new Map<string, ContentPage>()
  for (const { name, changedMs, bytes } of files) {
    // Named as in the configuration, so that editors can open it from the log.
    const file = join(folder, name)
    const complain = (line: number, message: string) =>
      log.warn({ file: `${file}:${line}` }, `${file}:${line}: ${message}`)
    const [, slug, language = null] = pageFileName.exec(name) ?? []
    if (slug === undefined) {
      // A README in the folder is for its author.
      if (name !== 'README.md')
        complain(1, 'a page is named in small letters, digits and hyphens: about-us.md, about-us.de.md')
      continue
    }
    const key = language === null ? slug : `${slug}.${language}`
    if (reserved(slug)) {
      complain(1, `/${slug}/ is an address of the shop itself: name the file otherwise`)
      continue
    }
    const kept = before.get(key)
    if (bytes > largestFile) {
      complain(1, `the file has more than ${largestFile / 1024} KB`)
      if (kept) pages.set(key, kept)
      continue
    }
    const content = await readFile(file).catch((error: unknown) => {
      complain(1, `the file cannot be read (${String(error)})`)
      return null
    })
    const strange = content === null ? null : lineNotUtf8(content)
    if (strange !== null) {
      complain(strange, 'there are letters here that are not in UTF-8: have your editor save the file so')
      // A page with broken characters is better than none.
      if (kept) {
        pages.set(key, kept)
        continue
      }
    }
    const text = content?.toString('utf8') ?? null
    const parsed = text === null ? null : parseContent(text, titleOf(slug))
    for (const { line, message } of parsed?.faults ?? []) complain(line, message)
    if (parsed && 'matter' in parsed) {
      pages.set(key, { ...parsed.matter, slug, language, markdown: parsed.body, changedAt: new Date(changedMs) })
    } else if (kept) {
      pages.set(key, kept)
    }
  }
  return withoutDrafts(pages)
}

/** Removes translations of unpublished pages. */
function withoutDrafts(pages: Map<string, ContentPage>): Map<string, ContentPage> {
  return new Map([...pages].filter(([, page]) => !page.draft && !pages.get(page.slug)?.draft))
}

/** Returns the first line, counted from 1, that is not UTF-8; null if all are. */
function lineNotUtf8(content: Buffer): number | null {
  if (isUtf8(content)) return null
  // No byte of a multibyte character equals a line feed, so lines are complete.
  const lines = content.toString('latin1').split('\n')
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1
}

const titleOf = (slug: string) => `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll('-', ' ')}`
