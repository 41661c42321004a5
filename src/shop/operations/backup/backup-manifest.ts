import { z } from 'zod'

/** What a reader must know before the first row. */
export const backupManifest = z.object({
  format: z.literal('vitrine-backup'),
  /** Of this layout. A reader takes its own number alone. */
  version: z.literal(1),
  /** Of the program that wrote it. */
  program: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).readonly() })),
})

export type BackupManifest = z.infer<typeof backupManifest>

/** What is known once everything was read. */
export const backupSummary = z.object({
  /** Of all bytes of the archive before the summary, in hexadecimal. */
  sha256: z.string(),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), rows: z.int(), digest: z.string() })),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.int(), called: z.boolean() })),
  files: z.int(),
})

export type BackupSummary = z.infer<typeof backupSummary>

export const manifestName = 'manifest.json'

/** The folders below the shop's own that are part of it: pictures, and what customers buy to download. */
export const backupFolders = ['media', 'downloads'] as const

/** `tables/public.orders/000001`: the pieces of one table follow each other. */
export const pieceName = ({ schema, name }: { schema: string; name: string }, piece: number): string =>
  `tables/${schema}.${name}/${String(piece).padStart(6, '0')}`

/** Which table a piece belongs to, or null for what is no piece. */
export function tableOfPiece(entry: string): string | null {
  return /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1] ?? null
}
