import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Chance } from '#contract/shared/environment.ts'
import { type StoredAsset, type StoredAssets, signEndings, storedAssets } from '#contract/shared/file-setting.ts'
import { keyOf, type RuleFault } from '#contract/shared/merchant-rules.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import {
  checkImage,
  hasVariants,
  ImageProblem,
  imageFacts,
  imageHash,
  maxConcurrentImages,
  resizeImage,
} from '../../content/resize-images.ts'
import { canonicalJson } from '../../shared/digest.ts'

/** Settings row with the stored variants of named files. */
export const filesKey = 'files'

export function storedFiles(stored: Readonly<Record<string, unknown>>): StoredAssets {
  return storedAssets.catch({}).parse(stored[filesKey] ?? {})
}

/** Folder of a configuration's files, and folder of the stored variants. */
export type FilePlaces = { readonly folder: string; readonly mediaDir: string }

type Named = { readonly key: string; readonly path: string; readonly kind: StoredAsset['kind'] }

/** Returns every file that the settings name. */
export function namedFiles({ theme, home }: Pick<ShopSettings, 'theme' | 'home'>): readonly Named[] {
  const named = (kind: Named['kind'], path: string | null | undefined, ...key: PropertyKey[]): Named[] =>
    path == null ? [] : [{ kind, path, key: keyOf(key) }]
  return [
    ...named('sign', theme.logo?.file, 'theme', 'logo', 'file'),
    ...named('sign', theme.logo?.darkFile, 'theme', 'logo', 'darkFile'),
    ...named('sign', theme.icon, 'theme', 'icon'),
    ...theme.fonts.flatMap(({ file }, at) => named('font', file, 'theme', 'fonts', at, 'file')),
    ...(home.sections ?? []).flatMap((section, at) =>
      'image' in section ? named('picture', section.image, 'home', 'sections', at, 'image') : [],
    ),
  ]
}

/**
 * Stores the files that settings name: images in the sizes of pages, logos and fonts unchanged, each named by the
 * digest of its content. A deleted file keeps its stored content.
 * @param dryRun validates the files without writing
 */
export async function storeAssets(
  { chance }: { readonly chance: Chance },
  settings: Pick<ShopSettings, 'theme' | 'home'>,
  before: StoredAssets,
  places: FilePlaces | null,
  dryRun = false,
): Promise<{ files: StoredAssets; faults: readonly RuleFault[] }> {
  /** Returns the kept file, or what is wrong with it. */
  const keep = async ({ path, kind }: Named): Promise<StoredAsset | string> => {
    const known = Object.hasOwn(before, path) && before[path]?.kind === kind ? before[path] : undefined
    const bytes = places && (await readFile(resolve(places.folder, path)).catch(() => null))
    if (!places || !bytes) {
      return known ?? (places ? `there is no file ${resolve(places.folder, path)}` : 'cannot be read')
    }
    try {
      return await makers[kind](bytes, path, known, places.mediaDir, chance, dryRun)
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error
      return `${path} ${error.message}`
    }
  }
  const files: Record<string, StoredAsset> = {}
  const faults: RuleFault[] = []
  const named = namedFiles(settings)
  for (let first = 0; first < named.length; first += maxConcurrentImages) {
    const some = named.slice(first, first + maxConcurrentImages)
    for (const [place, kept] of (await Promise.all(some.map(keep))).entries()) {
      const { key = '', path = '' } = some[place] ?? {}
      if (typeof kept === 'string') {
        faults.push({ key, problem: kept })
        continue
      }
      const other = files[path]
      // One file used both as a logo and as an image is not supported.
      if (other && canonicalJson(other) !== canonicalJson(kept))
        faults.push({ key, problem: `${path} is named as something else already: name a copy of it` })
      files[path] = kept
    }
  }
  return { files, faults }
}

type Maker = (
  bytes: Buffer,
  path: string,
  known: StoredAsset | undefined,
  mediaDir: string,
  chance: Chance,
  dryRun: boolean,
) => Promise<StoredAsset>

const largestSign = 256 * 1024
const largestFont = 1024 * 1024

const makers: Readonly<Record<StoredAsset['kind'], Maker>> = {
  async picture(bytes, _, known, mediaDir, chance, dryRun) {
    const hash = imageHash(bytes)
    if (known?.kind === 'picture' && known.hash === hash && (await hasVariants(mediaDir, hash, known.widths)))
      return known
    await checkImage(bytes)
    // The sizes are known after their creation; until then only that they will exist.
    if (dryRun) return { kind: 'picture', hash, width: 1, height: 1, placeholder: '#000000', widths: [1] }
    return { kind: 'picture', ...(await resizeImage(bytes, mediaDir, chance)) }
  },

  async sign(bytes, path, _, mediaDir, chance, dryRun) {
    if (bytes.length > largestSign) throw new ImageProblem(`has more than ${largestSign / 1024} KB`)
    const { format, width, height } = await imageFacts(bytes)
    const ending = signEndings.find((one) => path.toLowerCase().endsWith(`.${one}`))
    if (!ending || format !== ending) throw new ImageProblem(`has another format than its name: ${format}`)
    const hash = imageHash(bytes)
    if (!dryRun) await keepBytes(bytes, join(mediaDir, `${hash}.${ending}`), chance)
    return { kind: 'sign', hash, ending, width, height }
  },

  async font(bytes, _, __, mediaDir, chance, dryRun) {
    if (bytes.length > largestFont) throw new ImageProblem(`has more than ${largestFont / 1024} KB`)
    if (bytes.toString('latin1', 0, 4) !== 'wOF2') throw new ImageProblem('is not a WOFF2 font')
    const hash = imageHash(bytes)
    if (!dryRun) await keepBytes(bytes, join(mediaDir, `${hash}.woff2`), chance)
    return { kind: 'font', hash }
  },
}

/** Writes atomically; a file of the same name has the same content. */
async function keepBytes(bytes: Uint8Array, path: string, chance: Chance): Promise<void> {
  const there = await stat(path).catch(() => null)
  if (there?.size === bytes.length) return
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${chance.hex(6)}.tmp`
  await writeFile(draft, bytes)
  await rename(draft, path)
}
