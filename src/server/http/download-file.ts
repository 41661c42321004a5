import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import type { StoredFile } from '#shop/orders/downloads/stored-file.ts'
import { closedPolicy } from './security/security-headers.ts'

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/**
 * The part of a file that a request asks for: null for all of it, which answers several parts at once too, `unsatisfiable`
 * for one that lies behind its end. A part of another state of the file (`If-Range`) is all of it.
 */
export function wantedRange(
  headers: Headers,
  { size, etag, modified }: StoredFile,
): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '')
  const condition = headers.get('if-range')
  if (!match || (condition !== null && condition !== etag && condition !== modified.toUTCString())) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return null
  return start > end ? 'unsatisfiable' : { start, end }
}

/** A stored file, or a part of it, to be saved under its own name. Without a body when only its head was asked for. */
export async function fileResponse(file: StoredFile, range: ByteRange | null, headOnly: boolean): Promise<Response> {
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const headers = {
    'Content-Type': types[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'Content-Disposition': attachment(basename(file.path)),
    'Content-Length': String(end - start + 1),
    'Accept-Ranges': 'bytes',
    ETag: file.etag,
    'Last-Modified': file.modified.toUTCString(),
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': closedPolicy,
    'X-Robots-Tag': 'noindex',
    ...(range ? { 'Content-Range': `bytes ${start}-${end}/${file.size}` } : {}),
  }
  const status = range ? 206 : 200
  if (headOnly || file.size === 0) return new Response(null, { status, headers })
  const handle = await open(file.path)
  const stream = Readable.toWeb(handle.createReadStream({ start, end }))
  // Node's stream and the web's are one thing at run time; their types are written apart.
  return new Response(stream as ReadableStream<Uint8Array>, { status, headers })
}

/** The name in letters that every browser reads, and as it is. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

const types: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.epub': 'application/epub+zip',
  '.zip': 'application/zip',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=UTF-8',
  '.csv': 'text/csv; charset=UTF-8',
}
