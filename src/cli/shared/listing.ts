import { csvLine } from '#contract/shared/csv-line.ts'
import type { CommandContext } from './command.ts'
import { type Given, jsonOption, type Options } from './command-group.ts'
import { unknownChoice } from './messages.ts'
import { tableLines } from './table.ts'

/** Options of every long list. */
export const listOptions = {
  limit: { type: 'string', value: '<number>', what: 'the number of rows; 20, or 10000 with --csv' },
  page: { type: 'string', value: '<number>', what: 'the page of the list; 1' },
  ...jsonOption,
  csv: { type: 'boolean', what: 'prints CSV for spreadsheets, amounts without currency' },
} as const satisfies Options

export type Page = { readonly limit: number; readonly offset: number }

const mostRows = 10_000

/** The requested part of a list, or what is wrong with the options. */
export function pageGiven(given: Given): Page | string {
  const limit = wholeNumber(given.limit, given.csv ? mostRows : 20)
  if (limit === null || limit > mostRows)
    return `--limit "${given.limit}" is not a whole number from 1 to ${mostRows}. Example: --limit 50`
  const page = wholeNumber(given.page, 1)
  if (page === null || page > 1_000_000)
    return `--page "${given.page}" is not a whole number from 1 on. Example: --page 2`
  if (given.json && given.csv) return '--json and --csv cannot be combined. Use one of them.'
  return { limit, offset: limit * (page - 1) }
}

function wholeNumber(value: Given[string], otherwise: number): number | null {
  if (value === undefined) return otherwise
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
}

export type Column<Item> = {
  readonly title: string
  /** Missing in columns for programs only. */
  cell?(item: Item): string
  /** The cell for programs, where it differs. */
  csv?(item: Item): string
  /** Aligned to the right, as figures are. */
  readonly right?: true
}

/** Prints a part of a list in the requested format, and the number of the next page. */
export function printList<Item>(
  { print, say }: CommandContext,
  given: Given,
  { limit, offset }: Page,
  list: {
    readonly items: readonly Item[]
    readonly count: number
    readonly columns: readonly Column<Item>[]
    json(item: Item): unknown
    /** Printed where the list is empty. */
    readonly none: string
  },
): void {
  const { items, count, columns } = list
  if (given.json) print(JSON.stringify(items.map(list.json)))
  else if (given.csv) {
    print(csvLine(columns.map(({ title }) => title)))
    for (const item of items) print(csvLine(columns.map((column) => (column.csv ?? column.cell)?.(item) ?? '')))
  } else if (items.length > 0) {
    const shown = columns.filter(({ cell }) => cell)
    const rows = items.map((item) => shown.map(({ cell }) => cell?.(item) ?? ''))
    const right = shown.flatMap((column, index) => (column.right ? [index] : []))
    for (const line of tableLines([shown.map(({ title }) => title), ...rows], right)) print(line)
  }
  if (count === 0) {
    if (!given.json && !given.csv) say(list.none)
    return
  }
  const end = offset + items.length
  if (items.length === 0)
    say(`This page is empty: the list has ${count} rows and ends on page ${Math.ceil(count / limit)}.`)
  else if (end < count) say(`${offset + 1} to ${end} of ${count}. Next page: --page ${Math.floor(offset / limit) + 2}`)
}

/** The given word; undefined where none was given, null where it is not one of these. */
export function wordOf<Word extends string>(value: Given[string], words: readonly Word[]): Word | undefined | null {
  if (value === undefined) return undefined
  return words.find((word) => word === value) ?? null
}

export function unknownWord(option: string, value: Given[string], words: readonly string[]): string {
  return unknownChoice(option, String(value), words)
}
