import { z } from 'zod'

/** Facts that a reader needs before the first row. */
export const backupManifest = z.object({
  format: z.literal('vitrine-backup'),
  /** Version of this layout. A reader accepts only its own. */
  version: z.literal(1),
  /** Version of the program that wrote it. */
  program: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).readonly() })),
})

export type BackupManifest = z.infer<typeof backupManifest>

/** Facts known after everything was read. */
export const backupSummary = z.object({
  /** SHA-256 of all bytes of the archive before the summary, in hexadecimal. */
  sha256: z.string(),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), rows: z.int(), digest: z.string() })),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.int(), called: z.boolean() })),
  files: z.int(),
})

export type BackupSummary = z.infer<typeof backupSummary>

export const manifestName = 'manifest.json'

/** Folders below the data folder that are included: images, and purchasable downloads. */
export const backupFolders = ['media', 'downloads'] as const

/** `tables/public.orders/000001`: the chunks of one table are consecutive. */
export const pieceName = ({ schema, name }: { schema: string; name: string }, piece: number): string =>
  `tables/${schema}.${name}/${String(piece).padStart(6, '0')}`

/** Returns the table of a chunk, or null for another entry. */
export function tableOfPiece(entry: string): string | null {
  return /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1] ?? null
}
