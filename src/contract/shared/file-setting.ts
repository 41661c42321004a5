import { z } from 'zod'

/** A file named by a setting: its path relative to the configuration's folder. */
export function namedFile(endings: readonly string[]) {
  const ending = new RegExp(`\\.(?:${endings.join('|')})$`, 'i')
  return z
    .string()
    .max(300)
    .regex(ending, `must name a file that ends in ${endings.map((one) => `.${one}`).join(', ')}`)
    .refine(
      (path) => !/^(?:[/\\]|[a-z]+:)|\\|(?:^|\/)\.\.(?:\/|$)/i.test(path),
      'must be a path below the configuration folder, like pictures/front.jpg',
    )
}

/** Logos and icons: shown unchanged. */
export const signEndings = ['svg', 'png', 'webp'] as const
/** Photographs and similar images: resized for every screen. */
export const pictureEndings = ['jpg', 'jpeg', 'png', 'webp', 'avif'] as const

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const side = z.number().int().positive()

/** The stored form of a file that a setting names. */
export const storedAsset = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('picture'),
    hash: digest,
    width: side,
    height: side,
    placeholder: z.string(),
    widths: z.array(side),
  }),
  z.object({ kind: z.literal('sign'), hash: digest, ending: z.enum(signEndings), width: side, height: side }),
  z.object({ kind: z.literal('font'), hash: digest }),
])

export type StoredAsset = z.output<typeof storedAsset>

/** By the path in the settings. */
export const storedAssets = z.record(z.string(), storedAsset)

export type StoredAssets = Readonly<z.output<typeof storedAssets>>

/** The kept file of that path and kind; undefined: there is none. */
export function storedAssetOf<Kind extends StoredAsset['kind']>(
  files: StoredAssets,
  path: string | null | undefined,
  kind: Kind,
): Extract<StoredAsset, { kind: Kind }> | undefined {
  const kept = path != null && Object.hasOwn(files, path) ? files[path] : undefined
  // The comparison proves the kind, which the compiler does not infer for a parameter.
  return kept?.kind === kind ? (kept as Extract<StoredAsset, { kind: Kind }>) : undefined
}
