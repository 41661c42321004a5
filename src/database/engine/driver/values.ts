import pg from 'pg'
import { typeIds } from './statement-text.ts'

/** int8 and numeric (the type of sum(int8)) as numbers: money, ids and counters are safe integers by design. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`database value ${text} is not a safe integer`)
  }
  return value
}

const asNumber = (text: string) => Number(text)
const asDate = (text: string) => new Date(text)
const asJson = (text: string): unknown => JSON.parse(text)
const asText = (text: string) => text

type Parse = (text: string) => unknown

const date = 1082
const timestamp = 1114

/** By type. All others are read as text. */
const parsers = new Map<number, Parse>([
  [typeIds.boolean, (text) => text === 't'],
  [typeIds.bytea, (text) => Buffer.from(text.slice(2), 'hex')],
  [typeIds.bigint, exactNumber],
  [typeIds.numeric, exactNumber],
  // int2, int4, oid, float4, float8
  ...[21, 23, 26, 700, 701].map((type): [number, Parse] => [type, asNumber]),
  ...[date, timestamp, typeIds.timestamptz].map((type): [number, Parse] => [type, asDate]),
  ...[typeIds.json, typeIds.jsonb].map((type): [number, Parse] => [type, asJson]),
])

/** Types of arrays with those of their elements. The server numbers its own types the same everywhere. */
const elements = new Map<number, number>([
  [1000, typeIds.boolean],
  [1001, typeIds.bytea],
  [1016, typeIds.bigint],
  [1005, 21],
  [1007, 23],
  [1028, 26],
  [1021, 700],
  [1022, 701],
  [1231, typeIds.numeric],
  [199, typeIds.json],
  [3807, typeIds.jsonb],
  [1182, date],
  [1115, timestamp],
  [1185, typeIds.timestamptz],
  // "char", name, text, bpchar, varchar, xid, uuid
  ...[1002, 1003, 1009, 1014, 1015, 1011, 2951].map((type): [number, number] => [type, 25]),
])

type Texts = readonly (string | null | Texts)[]
// text[]; the types of `pg` do not know arrays.
const parseTexts: (text: string) => Texts = pg.types.getTypeParser(1009 as never)

const parseEach = (texts: Texts, parse: Parse): unknown[] =>
  texts.map((text) => (text === null ? null : typeof text === 'string' ? parse(text) : parseEach(text, parse)))

for (const [type, element] of elements) {
  const parse = parsers.get(element) ?? asText
  parsers.set(type, (text) => parseEach(parseTexts(text), parse))
}

export const parserOf = (type: number): Parse => parsers.get(type) ?? asText

/**
 * Returns a parameter in the server's text format, by the type that the server has described.
 * @throws RangeError for a date that is none
 */
export function parameterText(value: unknown, type: number): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (type === typeIds.json || type === typeIds.jsonb) return JSON.stringify(value)
  if (type === date || type === timestamp || type === typeIds.timestamptz) return instant(value)
  if (typeof value === 'string') return value
  if (type === typeIds.boolean) return value === true ? 't' : 'f'
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (Array.isArray(value)) return arrayText(value, elements.get(type) ?? 0)
  return value instanceof Date ? value.toISOString() : String(value)
}

// A string or a number, where it is no date: `new Date` takes both.
const instant = (value: unknown): string =>
  (value instanceof Date ? value : new Date(value as string | number)).toISOString()

function arrayText(values: readonly unknown[], element: number): string {
  const pieces = values.map((value) => {
    if (Array.isArray(value) && element !== typeIds.json && element !== typeIds.jsonb) return arrayText(value, element)
    const text = parameterText(value, element)
    if (text === null) return 'null'
    return `"${(typeof text === 'string' ? text : `\\x${text.toString('hex')}`).replace(/[\\"]/g, '\\$&')}"`
  })
  return `{${pieces.join(',')}}`
}
