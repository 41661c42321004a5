import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Application } from './application.ts'
import { acceptedEncoding, type Bytes, compress, type Encoding } from './encodings.ts'
import { filePolicy } from './security-headers.ts'

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

type Kept = { bytes: Bytes; encoded: Map<Encoding, Bytes>; modified: number }
const kept = new WeakMap<Application, Map<string, Kept>>()
const keepBelow = 300_000

export async function fileAnswer(
  app: Application,
  request: Request,
  path: string,
  cacheControl: string,
): Promise<Response> {
  const files = kept.get(app) ?? new Map<string, Kept>()
  kept.set(app, files)
  const file = files.get(path) ?? (await read(path))
  if (!file) return notFound()
  if (file.bytes.length < keepBelow && files.size < 500) files.set(path, file)

  const extension = extname(path)
  const encoding = compressible.has(extension) ? acceptedEncoding(request.headers.get('accept-encoding')) : 'identity'
  const body = file.encoded.get(encoding) ?? (await compress(file.bytes, encoding))
  file.encoded.set(encoding, body)
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
    return { bytes, encoded: new Map([['identity', bytes]]), modified: mtimeMs }
  } catch (error) {
    if (error instanceof Error && 'code' in error && isNoFile.has(String(error.code))) return null
    throw error
  }
}

function notFound(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}
