import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Application } from '../operations/startup/application.ts'
import { acceptedEncoding, type Bytes, compress, type Encoding } from './compression.ts'
import { filePolicy } from './security/security-headers.ts'

const types: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.txt': 'text/plain; charset=UTF-8',
  '.woff2': 'font/woff2',
}
const compressible = new Set(['.js', '.css', '.svg', '.txt'])
const forEver = 'public, max-age=31536000, immutable'

/** Answers with a product image. Its name contains the digest of its content, so it never changes. */
export function mediaAnswer(app: Application, request: Request, name: string): Promise<Response> {
  if (!/^([0-9a-f]{16,64}-\d{2,4}\.(avif|webp)|share-[0-9a-f]{32}\.jpg)$/.test(name)) return Promise.resolve(notFound())
  return fileAnswer(app, request, join(app.mediaFolder, name), forEver)
}

/** Answers with a file of the build. Names below `assets/` contain a digest. */
export function publicFile(app: Application, request: Request, path: string): Promise<Response> {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(path) || path.includes('..')) return Promise.resolve(notFound())
  return fileAnswer(
    app,
    request,
    join(app.clientFolder, path),
    path.startsWith('assets/') ? forEver : 'public, max-age=3600',
  )
}

/** @property held size in bytes that was counted for it */
type CachedFile = { bytes: Bytes; encoded: Map<Encoding, Bytes>; modified: number; held: number }
type Shelf = { readonly files: Map<string, CachedFile>; bytes: number }
const shelves = new WeakMap<Application, Shelf>()
/** Larger files are read on each request. */
const keepBelow = 300_000
/** The build uses two megabytes of it, in two encodings; images, all of which any visitor may request, use the rest. */
const mostKeptBytes = 16 * 1024 * 1024

/** Caches a file as most recently used. Evicts the least recently used. */
function keep(shelf: Shelf, path: string, file: CachedFile): void {
  // Another request may have cached it meanwhile.
  const before = shelf.files.get(path)
  if (before) shelf.bytes -= before.held
  shelf.files.delete(path)
  file.held = [...file.encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  shelf.files.set(path, file)
  shelf.bytes += file.held
  for (const [oldest, old] of shelf.files) {
    if (shelf.bytes <= mostKeptBytes) break
    shelf.files.delete(oldest)
    shelf.bytes -= old.held
  }
}

export async function fileAnswer(
  app: Application,
  request: Request,
  path: string,
  cacheControl: string,
): Promise<Response> {
  const shelf = shelves.get(app) ?? { files: new Map<string, CachedFile>(), bytes: 0 }
  shelves.set(app, shelf)
  const file = shelf.files.get(path) ?? (await read(path).catch((error: unknown) => unreadable(app, error)))
  if (!file) return notFound()

  const extension = extname(path)
  const encoding = compressible.has(extension) ? acceptedEncoding(request.headers.get('accept-encoding')) : 'identity'
  const body = file.encoded.get(encoding) ?? (await compress(file.bytes, encoding))
  file.encoded.set(encoding, body)
  if (file.bytes.length < keepBelow) keep(shelf, path, file)
  return new Response(body, {
    headers: {
      'Content-Type': types[extension] ?? 'application/octet-stream',
      'Cache-Control': cacheControl,
      // An SVG file can contain scripts and may be opened directly: the policy blocks them.
      'Content-Security-Policy': filePolicy,
      'X-Content-Type-Options': 'nosniff',
      'Last-Modified': new Date(file.modified).toUTCString(),
      ...(compressible.has(extension) ? { Vary: 'Accept-Encoding' } : {}),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  })
}

/** Error codes of a missing or impossible file: a name may exceed the file system's limit. */
const isNoFile: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'])

async function read(path: string): Promise<CachedFile | null> {
  try {
    const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)])
    return { bytes, encoded: new Map([['identity', bytes]]), modified: mtimeMs, held: 0 }
  } catch (error) {
    if (error instanceof Error && 'code' in error && isNoFile.has(String(error.code))) return null
    throw error
  }
}

/** Treats an unreadable file as missing for the client, and logs the error for the operator. */
function unreadable({ tools }: Application, error: unknown): null {
  tools.log.error({ error: String(error) }, 'static file could not be read')
  return null
}

function notFound(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}
