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

/** Addresses of what the build made, for the heads of pages. */
export type Assets = {
  /** What every page is styled by. */
  readonly css: readonly string[]
  /** What is added where one looks around, where one buys, and in the account. */
  readonly browse: readonly string[]
  readonly purchase: readonly string[]
  readonly account: readonly string[]
  /** What is added where one reads. */
  readonly content: readonly string[]
  /** What is added where there is more than one language or currency to choose from. */
  readonly languages: readonly string[]
  /** What is added where the letters are not Latin. */
  readonly writing: readonly string[]
  readonly script: string
  readonly preload: readonly string[]
  /** What measures, and the sheet of the question before it: see `pageMeasure`. */
  readonly measure: string
  readonly consent: readonly string[]
  /** The merchant's page of statistics. */
  readonly statistics: { script: string; css: readonly string[] }
  /** The files of the letters that every page begins with. */
  readonly fonts: readonly string[]
  /** Of the editor of translations: its page, the shop in its frame, and the list of all texts. */
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
const firstFonts = /-latin-wght-normal[.-][\w-]+\.woff2$/

/** @throws when there is no build in `folder`, saying how to make one */
export async function readAssets(folder: string): Promise<Assets> {
  const path = join(folder, '.vite/manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`there is no build in ${folder}: run "npm run build"`)
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
    fonts: (style?.assets ?? []).filter((file) => firstFonts.test(file)).map(address),
  }
}

/** What is added for pages of that kind; the others are those where one looks around. */
const addedFor: { readonly [kind in FrameFacts['kind']]?: 'purchase' | 'account' | 'content' } = {
  cart: 'purchase',
  checkout: 'purchase',
  'order-pay': 'purchase',
  'order-received': 'purchase',
  account: 'account',
  content: 'content',
}

/** What a page of that kind loads. */
export function assetsOf(
  assets: Assets,
  kind: FrameFacts['kind'],
  {
    chooses = false,
    language = 'en',
  }: {
    /** Whether there is more than one language or currency. */ chooses?: boolean /** That of the page. */
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

/** Found out once for each language of the shop: it takes longer than all else here. */
function isLatin(language: string): boolean {
  const known = latin.get(language) ?? new Intl.Locale(language).maximize().script === 'Latn'
  latin.set(language, known)
  return known
}
