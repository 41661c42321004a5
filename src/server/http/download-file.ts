import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import type { StoredFile } from '#shop/orders/downloads/stored-file.ts'
import { closedPolicy } from './security/security-headers.ts'

/** A byte range from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/**
 * Returns the byte range that a request asks for. Null means the whole file, also for several ranges at once or if the
 * file has changed (`If-Range`). `unsatisfiable` means a range behind the end.
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

/** Returns a response with a stored file, or a range of it, as an attachment. A HEAD request gets no body. */
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
  // Node's stream and the web's are the same at run time; only their types differ.
  return new Response(stream as ReadableStream<Uint8Array>, { status, headers })
}

/** Returns the header with the name in ASCII and in UTF-8. */
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
