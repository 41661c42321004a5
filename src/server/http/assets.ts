import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { FrameFacts } from '#web/pages/shared/document.tsx'

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).optional(),
    assets: z.array(z.string()).optional(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
  }),
)

/** URLs of the build's files, for the heads of pages. */
export type Assets = {
  /** Stylesheets of every page. */
  readonly css: readonly string[]
  /** Additional stylesheets of browsing, of purchase, and of the account. */
  readonly browse: readonly string[]
  readonly purchase: readonly string[]
  readonly account: readonly string[]
  /** Additional stylesheets of static pages. */
  readonly content: readonly string[]
  /** Additional stylesheets where there is more than one language or currency. */
  readonly languages: readonly string[]
  /** Additional stylesheets for scripts other than Latin. */
  readonly writing: readonly string[]
  readonly script: string
  readonly preload: readonly string[]
  /** The analytics script and the stylesheet of the consent banner: see `pageMeasure`. */
  readonly measure: string
  readonly consent: readonly string[]
  /** The merchant's statistics page. */
  readonly statistics: { script: string; css: readonly string[] }
  /** The page that shows the API's description. */
  readonly apiDocs: { script: string; css: readonly string[] }
  /** Font files that every page preloads. */
  readonly fonts: readonly string[]
  /** The translation editor: its page, the shop in its frame, and the list of all texts. */
  readonly editor: Readonly<Record<keyof typeof editorEntries, { script: string; css: readonly string[] }>>
}

const editorEntries = { page: 'editor', frame: 'frame', texts: 'texts' } as const

const scriptEntry = 'src/web/browser/main.ts'
const styleEntry = 'src/web/styles/main.css'
const browseEntry = 'src/web/styles/browse.css'
const purchaseEntry = 'src/web/styles/purchase.css'
const accountEntry = 'src/web/styles/account.css'
const contentEntry = 'src/web/styles/content.css'
const writingEntry = 'src/web/styles/writing.css'
const languagesEntry = 'src/web/styles/languages.css'
const measureEntry = 'src/web/browser/adapters/measure/measure.ts'
const consentEntry = 'src/web/styles/consent.css'
const statisticsEntry = 'src/web/statistics/statistics.ts'
const apiDocsEntry = 'src/web/api-docs/api-docs'
const firstFonts = /-latin-wght-normal[.-][\w-]+\.woff2$/

/** @throws when `folder` has no build; the message says how to create it */
export async function readAssets(folder: string): Promise<Assets> {
  const path = join(folder, '.vite/manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`no build in ${folder}: run "npm run build"`)
  })
  const entries = manifest.parse(JSON.parse(text))
  const script = entries[scriptEntry]
  const style = entries[styleEntry]
  if (!script) throw new Error(`the build in ${folder} lacks ${scriptEntry}`)
  const address = (file: string) => `/${file}`
  const editor = (part: keyof typeof editorEntries) => {
    const at = `src/web/editor/${editorEntries[part]}`
    const made = entries[`${at}.ts`] ?? entries[`${at}.tsx`]
    return { script: made ? address(made.file) : '', css: sheet(`${at}.css`) }
  }
  const sheet = (entry: string) => (entries[entry] ? [address(entries[entry].file)] : [])
  return {
    css: [...sheet(styleEntry), ...(script.css ?? []).map(address)],
    browse: sheet(browseEntry),
    purchase: sheet(purchaseEntry),
    account: sheet(accountEntry),
    content: sheet(contentEntry),
    languages: sheet(languagesEntry),
    writing: sheet(writingEntry),
    script: address(script.file),
    preload: (script.imports ?? []).flatMap((name) => entries[name]?.file ?? []).map(address),
    measure: sheet(measureEntry).join(),
    consent: sheet(consentEntry),
    editor: { page: editor('page'), frame: editor('frame'), texts: editor('texts') },
    statistics: {
      script: sheet(statisticsEntry).join(),
      css: sheet('src/web/statistics/statistics.css'),
    },
    apiDocs: { script: sheet(`${apiDocsEntry}.ts`).join(), css: sheet(`${apiDocsEntry}.css`) },
    fonts: (style?.assets ?? []).filter((file) => firstFonts.test(file)).map(address),
  }
}

/** Additional assets per kind of page; the kinds not listed use those of browsing. */
const addedFor: { readonly [kind in FrameFacts['kind']]?: 'purchase' | 'account' | 'content' } = {
  cart: 'purchase',
  checkout: 'purchase',
  'order-pay': 'purchase',
  'order-received': 'purchase',
  account: 'account',
  content: 'content',
}

/** Returns the assets that a page of that kind loads. */
export function assetsOf(
  assets: Assets,
  kind: FrameFacts['kind'],
  {
    chooses = false,
    language = 'en',
  }: {
    /** True if there is more than one language or currency. */ chooses?: boolean /** Language of the page. */
    language?: string
  } = {},
): FrameFacts['assets'] {
  const { css, languages, writing, script, preload, fonts } = assets
  const added = assets[addedFor[kind] ?? 'browse']
  const other = isLatin(language) ? [] : writing
  return {
    css: [...css, ...added, ...(chooses ? languages : []), ...other],
    script,
    preload,
    fonts,
  }
}

const latin = new Map<string, boolean>()

/** Cached per language: `maximize` is the slowest step here. */
function isLatin(language: string): boolean {
  const known = latin.get(language) ?? new Intl.Locale(language).maximize().script === 'Latn'
  latin.set(language, known)
  return known
}
