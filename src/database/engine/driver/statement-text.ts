import { type AnyQuery, Query } from './query.ts'

/** The text of a statement with its parameters, and their declared types: 0 lets the server decide. */
export type StatementText = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly types: readonly number[]
}

/** The name of a table or column; a dot separates it from its schema. */
export class Identifier {
  readonly quoted: string

  constructor(name: string) {
    this.quoted = name.split('.').map(quoted).join('.')
  }
}

/** Columns with values: `(a, b) values ($1, $2)` after `insert into`, `a = $1, b = $2` after `update … set`. */
export class ColumnValues {
  readonly rows: readonly Readonly<Record<string, unknown>>[]

  constructor(rows: readonly Readonly<Record<string, unknown>>[]) {
    this.rows = rows
  }
}

/** A value with a declared type. */
export class TypedValue {
  readonly value: unknown
  readonly type: number

  constructor(value: unknown, type: number) {
    this.value = value
    this.type = type
  }
}

/** Object identifiers of types (PostgreSQL, `pg_type.dat`). */
export const typeIds = { boolean: 16, bytea: 17, bigint: 20, json: 114, timestamptz: 1184, numeric: 1700, jsonb: 3802 }

/** Returns the statement of a template: nested templates, names and column values become text, all others parameters. */
export function statementText(query: AnyQuery): StatementText {
  const { strings, values } = query
  const into = { text: '', values: [] as unknown[], types: [] as number[] }
  const known = query.isTemplate ? texts.get(strings) : strings[0]
  if (known !== undefined && !values.some(isText)) {
    for (const value of values) appendParameter(into, value)
    into.text = known
    return into
  }
  appendTemplate(into, query)
  if (!values.some(isText)) texts.set(strings, into.text)
  return into
}

/** Texts of templates whose values are all parameters: looking up the same string again takes no hashing. */
const texts = new WeakMap<object, string>()

const isText = (value: unknown): boolean =>
  value instanceof Query || value instanceof Identifier || value instanceof ColumnValues

type Writing = { text: string; readonly values: unknown[]; readonly types: number[] }

function appendTemplate(into: Writing, { strings, values }: AnyQuery): void {
  into.text += strings[0]
  for (const [index, value] of values.entries()) {
    appendValue(into, value)
    into.text += strings[index + 1]
  }
}

function appendValue(into: Writing, value: unknown): void {
  if (value instanceof Query) appendTemplate(into, value)
  else if (value instanceof Identifier) into.text += value.quoted
  else if (value instanceof ColumnValues) appendColumns(into, value)
  else into.text += appendParameter(into, value)
}

/** @returns its placeholder */
function appendParameter(into: Writing, value: unknown): string {
  const [bare, type] = value instanceof TypedValue ? [value.value, value.type] : [value, declaredType(value)]
  if (bare === undefined) {
    throw Object.assign(new TypeError('undefined is no value of a statement'), { code: 'UNDEFINED_VALUE' })
  }
  into.values.push(bare)
  into.types.push(type)
  return `$${into.values.length}`
}

/** A server that does not know these types might take a date for an interval. */
function declaredType(value: unknown): number {
  if (value instanceof Date) return typeIds.timestamptz
  if (typeof value === 'boolean') return typeIds.boolean
  if (typeof value === 'bigint') return typeIds.bigint
  return value instanceof Uint8Array ? typeIds.bytea : 0
}

function appendColumns(into: Writing, { rows }: ColumnValues): void {
  const names = Object.keys(rows[0] ?? {})
  const isUpdate = /\bset\s*$/i.test(into.text)
  if (isUpdate) {
    for (const [index, name] of names.entries()) {
      into.text += `${index > 0 ? ', ' : ''}${quoted(name)} = `
      appendValue(into, rows[0]?.[name])
    }
    return
  }
  into.text += `(${names.map(quoted).join(', ')}) values `
  for (const [index, row] of rows.entries()) {
    into.text += index > 0 ? ', (' : '('
    for (const [place, name] of names.entries()) {
      if (place > 0) into.text += ', '
      appendValue(into, row[name])
    }
    into.text += ')'
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
