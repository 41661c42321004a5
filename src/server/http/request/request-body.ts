import { BadBody, forbiddenNames, limits, measureName } from './body-limits.ts'
import { parseJson } from './parse-json.ts'

/** A value of a form: text, or the members of a name with brackets. */
export type FormValue = string | FormFields
export type FormFields = { [name: string]: FormValue }

/** Reads the bytes of a body. @throws BadBody 413 beyond 256 KB */
export async function readBytes(request: Request, maxBytes = limits.bytes): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new BadBody(413, 'the body is too large')
  // Node enforces Content-Length, so a declared size is read at once, without a stream.
  if (length !== null) return new Uint8Array(await request.arrayBuffer())
  if (!request.body) return new Uint8Array()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body) {
    size += part.length
    if (size > maxBytes) throw new BadBody(413, 'the body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a body as text. @throws BadBody 400 unless it is valid UTF-8 without NUL */
export async function readText(request: Request, maxBytes?: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes)
  try {
    const text = utf8.decode(bytes)
    if (text.includes('\0')) throw new BadBody(400, 'the body contains a NUL character')
    return text
  } catch (error) {
    throw error instanceof BadBody ? error : new BadBody(400, 'the body is not valid UTF-8')
  }
}

/**
 * Reads the fields of a posted form, of a query, or of a JSON object.
 * @param listName member for the entries of a JSON array; absent: arrays are rejected
 * @throws BadBody naming the fault
 */
export async function readFields(
  request: Request,
  maxBytes?: number,
  listName?: string,
): Promise<FormFields | Record<string, unknown>> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return parseJson(await readText(request, maxBytes), listName)
  if (type === 'multipart/form-data') return parseMultipart(request)
  const text = await readText(request, maxBytes)
  if (text === '') return {}
  if (type !== '' && type !== 'application/x-www-form-urlencoded' && type !== 'text/plain') {
    throw new BadBody(415, `cannot read a body of type ${type.slice(0, 60)}`)
  }
  const pairs = new URLSearchParams(text)
  // Decoding replaces invalid UTF-8 by U+FFFD. The body is valid only if it contains U+FFFD itself.
  if (/%[89a-f]/i.test(text) && !/\uFFFD|%EF%BF%BD/i.test(text) && pairs.toString().includes('%EF%BF%BD')) {
    throw new BadBody(400, 'the form is not valid UTF-8')
  }
  return parseForm(pairs)
}

async function parseMultipart(request: Request): Promise<FormFields> {
  const bytes = await readBytes(request)
  const copy = new Response(Buffer.from(bytes), {
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  })
  const form = await copy.formData().catch(() => {
    throw new BadBody(400, 'the form is not valid multipart data')
  })
  const parts = [...form]
  if (parts.length > limits.fields) throw new BadBody(400, `the form has more than ${limits.fields} fields`)
  // Browser extensions may add file inputs to our forms, which are sent empty: files are ignored.
  return parseForm(parts.filter((part): part is [string, string] => typeof part[1] === 'string'))
}

/** Parses `a[b][c]=1` to `{ a: { b: { c: '1' } } }`; the last duplicate wins; `a[]` appends. */
export function parseForm(pairs: Iterable<[string, string]>): FormFields {
  const fields: FormFields = Object.create(null)
  let count = 0
  for (const [rawName, value] of pairs) {
    if (++count > limits.fields) throw new BadBody(400, `the form has more than ${limits.fields} fields`)
    if (value.includes('\0') || rawName.includes('\0')) throw new BadBody(400, 'the form contains a NUL character')
    const path = pathOf(rawName)
    if (path.length > limits.depth) throw new BadBody(400, 'the form is nested too deep')
    if (path.some((key) => forbiddenNames.has(key)) || path.slice(0, -1).includes(measureName)) {
      throw new BadBody(400, 'the form has a forbidden field name')
    }
    let at = fields
    for (const key of path.slice(0, -1)) {
      const next = at[key]
      if (typeof next === 'object') at = next
      else {
        const made: FormFields = Object.create(null)
        at[key] = made
        at = made
      }
    }
    const last = path.at(-1) ?? ''
    at[last === '' ? String(Object.keys(at).length) : last] = value
  }
  return fields
}

function pathOf(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  const inner = name.slice(open + 1, -1).split('][')
  return [name.slice(0, open), ...inner]
}
