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

/** A picture of a product: its name holds the digest of its content, so it never changes. */
export function mediaAnswer(app: Application, request: Request, name: string): Promise<Response> {
  if (!/^([0-9a-f]{16,64}-\d{2,4}\.(avif|webp)|share-[0-9a-f]{32}\.jpg)$/.test(name)) return Promise.resolve(notFound())
  return fileAnswer(app, request, join(app.mediaFolder, name), forEver)
}

/** A file of the build; those below `assets/` have their digest in the name. */
export function publicFile(app: Application, request: Request, path: string): Promise<Response> {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(path) || path.includes('..')) return Promise.resolve(notFound())
  return fileAnswer(
    app,
    request,
    join(app.clientFolder, path),
    path.startsWith('assets/') ? forEver : 'public, max-age=3600',
  )
}

/** @property held bytes that it was counted with */
type Kept = { bytes: Bytes; encoded: Map<Encoding, Bytes>; modified: number; held: number }
type Shelf = { readonly files: Map<string, Kept>; bytes: number }
const shelves = new WeakMap<Application, Shelf>()
/** Larger ones are read each time. */
const keepBelow = 300_000
/** The build takes two megabytes of it, in two encodings; pictures, of which strangers may ask for all, the rest. */
const mostKeptBytes = 16 * 1024 * 1024

/** Keeps a file as the one that was asked for last. The one that was asked for longest ago leaves first. */
function keep(shelf: Shelf, path: string, file: Kept): void {
  // Another request may have read it meanwhile.
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
  const shelf = shelves.get(app) ?? { files: new Map<string, Kept>(), bytes: 0 }
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
      // Somebody may open a drawing by itself, and it can hold scripts: they are not run, and it reaches nothing.
      'Content-Security-Policy': filePolicy,
      'X-Content-Type-Options': 'nosniff',
      'Last-Modified': new Date(file.modified).toUTCString(),
      ...(compressible.has(extension) ? { Vary: 'Accept-Encoding' } : {}),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  })
}

/** There is none, or there cannot be one: a name may be longer than any of a file. */
const isNoFile: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'])

async function read(path: string): Promise<Kept | null> {
  try {
    const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)])
    return { bytes, encoded: new Map([['identity', bytes]]), modified: mtimeMs, held: 0 }
  } catch (error) {
    if (error instanceof Error && 'code' in error && isNoFile.has(String(error.code))) return null
    throw error
  }
}

/** A folder that may not be entered, a disk that fails: for who asks the file is not there, and the operator is told. */
function unreadable({ tools }: Application, error: unknown): null {
  tools.log.error({ error: String(error) }, 'a file could not be read')
  return null
}

function notFound(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}
