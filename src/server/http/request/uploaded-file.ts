import { BadBody } from './body-limits.ts'
import { readBytes } from './request-body.ts'

/** An uploaded file. Its name is never a path. */
export type UploadedFile = {
  readonly bytes: Uint8Array
  readonly name: string
  /** Other fields of the same form. */
  readonly fields: Readonly<Record<string, string>>
}

/** Additional size of a multipart form around its file. */
const formBytes = 16 * 1024
const longestName = 200

/**
 * Reads the file of an upload: the form field `file`, or the body itself with its name in `Content-Disposition`.
 * @throws BadBody
 */
export async function readUpload(request: Request, maxBytes: number): Promise<UploadedFile> {
  const type = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return readForm(request, type, maxBytes)
  const name = nameIn(request.headers.get('content-disposition'))
  if (name === null) throw new BadBody(400, 'the upload has no file name')
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) throw new BadBody(400, 'the upload has no data')
  return { bytes, name: cleanName(name), fields: {} }
}

async function readForm(request: Request, type: string, maxBytes: number): Promise<UploadedFile> {
  const body = await readBytes(request, maxBytes + formBytes)
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw new BadBody(400, 'the form is not valid multipart data')
  })
  const file = form.get('file')
  if (typeof file === 'string' || file === null) throw new BadBody(400, 'the form has no file')
  if (file.size > maxBytes) throw new BadBody(413, 'the file is too large')
  if (file.size === 0) throw new BadBody(400, 'the upload has no data')
  const alt = form.get('alt_text')
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    name: cleanName(file.name),
    fields: typeof alt === 'string' ? { alt_text: alt } : {},
  }
}

/** Returns the file name of `attachment; filename="…"`, or of its extended UTF-8 form. */
function nameIn(disposition: string | null): string | null {
  const wide = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1]
  if (wide !== undefined) {
    try {
      return decodeURIComponent(wide)
    } catch {
      throw new BadBody(400, 'the file name is not valid UTF-8')
    }
  }
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition ?? '') ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? bare ?? null
}

/** Returns the last part of a name, without control and bidirectional formatting characters. */
function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const shown = [...last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, longestName).join('')
  return shown === '' ? 'picture' : shown
}
