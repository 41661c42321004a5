import type { ImageInput } from '#contract/catalog/v3-shapes.ts'
import { findImages } from '#database/catalog/image-rows.ts'
import { type HostLookup, isRemote } from '../../import/fetch-remote-file.ts'
import { fileProblem, importSoldFiles } from '../../import/product-files.ts'
import { convertImages } from '../../import/product-images.ts'
import { findStoredFile } from '../../orders/downloads/stored-file.ts'
import type { Tools } from '../../shared/tools.ts'
import type { ProductDraft } from './product-draft.ts'
import { SaveRefused } from './save-refused.ts'

export type SaveTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'chance' | 'network' | 'log' | 'publicUrl'>

/** Files and images of a draft, fetched before the transaction. */
export type FetchedFiles = {
  readonly images: ReadonlyMap<string, number>
  readonly files: ReadonlyMap<string, string>
}

export type ProductPlaces = {
  /** Folder of the image variants. */
  readonly mediaDir: string
  /** Folder of the shop's downloadable files. */
  readonly downloadsDir: string
  readonly lookup: HostLookup
}

/**
 * Fetches images and downloadable files of a draft, with the limits of the product import. Paths of the server are
 * accepted only for files that the shop offers already.
 * @throws SaveRefused
 */
export async function fetchDraftFiles(
  tools: SaveTools,
  places: ProductPlaces,
  draft: ProductDraft,
): Promise<FetchedFiles> {
  return {
    images: await fetchImages(tools, places, draft.images ?? [], draft.row.name ?? ''),
    files: await fetchFiles(tools, places, draft),
  }
}

/**
 * Fetches the images that have an address and no id.
 * @param name their alternative text, unless they have one
 * @returns their ids by address
 * @throws SaveRefused
 */
export async function fetchImages(
  tools: SaveTools,
  { mediaDir, lookup }: ProductPlaces,
  images: readonly ImageInput[],
  name: string,
): Promise<Map<string, number>> {
  const sources = images.flatMap(({ id, src, alt }) => (!id && src ? [{ src, name: alt || name }] : []))
  const hashes = new Map(
    sources.flatMap(({ src }) => ownHash(src, tools.publicUrl).map((hash) => [src, hash] as const)),
  )
  const known = await findImages(tools.db.kysely, [...hashes.values()])
  const ids = new Map([...hashes].flatMap(([src, hash]) => idOf(known.get(hash)).map((id) => [src, id] as const)))
  const others = new Map(
    sources.flatMap(({ src, name: text }) => (ids.has(src) ? [] : [[src, { row: 0, name: text }] as const])),
  )
  for (const source of others.keys()) {
    if (!isRemote(source) || !URL.canParse(source))
      throw new SaveRefused({ reason: 'image', source, problem: 'must be a web address' })
  }
  const fetched = await convertImages(
    tools,
    others,
    { imagesDir: mediaDir, mediaDir, lookup },
    (source, _, problem) => {
      throw new SaveRefused({ reason: 'image', source, problem })
    },
    () => {},
  )
  return new Map([...ids, ...fetched])
}

const idOf = (image: { id: number } | undefined) => (image ? [image.id] : [])

/** Returns the hash in the address of the shop's own image: it is in the library already. */
function ownHash(source: string, publicUrl: string): string[] {
  if (!source.startsWith(`${publicUrl}/`)) return []
  const hash = /^\/media\/([0-9a-f]{16,64})-\d+\.(?:webp|avif)$/.exec(source.slice(publicUrl.length))?.[1]
  return hash ? [hash] : []
}

async function fetchFiles(
  tools: SaveTools,
  { downloadsDir, lookup }: ProductPlaces,
  { row }: ProductDraft,
): Promise<Map<string, string>> {
  const { remoteDownloads } = tools.settings
  const places = { file: '', filesDir: downloadsDir, downloadsDir, lookup }
  const remote = new Map<string, { row: number; column: string }>()
  const refuse = (source: string, problem: string): never => {
    throw new SaveRefused({ reason: 'file', source, problem })
  }
  for (const { url } of row.downloads ?? []) {
    if (await findStoredFile(downloadsDir, url)) continue
    if (!isRemote(url)) refuse(url, 'is not a file of the shop')
    const problem = await fileProblem(url, places, remoteDownloads)
    if (problem) refuse(url, problem)
    remote.set(url, { row: 0, column: 'downloads' })
  }
  return importSoldFiles(
    tools,
    remote,
    places,
    (source, _, problem) => refuse(source, problem),
    () => {},
  )
}
