import { csvLine } from '#contract/shared/csv-line.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import type { CommandContext } from './command.ts'
import { type Given, jsonOption, type Options } from './command-group.ts'
import { tableLines } from './table.ts'

/** What every long list takes. */
export const listOptions = {
  limit: { type: 'string', value: '<number>', what: 'how many to show; 20, and 10000 with --csv' },
  page: { type: 'string', value: '<number>', what: 'which so many of them; 1' },
  ...jsonOption,
  csv: { type: 'boolean', what: 'lines for a spreadsheet, amounts without a currency' },
} as const satisfies Options

export type Page = { readonly limit: number; readonly offset: number }

const mostRows = 10_000

/** The part of a list that was asked for, or what is wrong with the wish. */
export function pageGiven(given: Given): Page | string {
  const limit = wholeNumber(given.limit, given.csv ? mostRows : 20)
  if (limit === null || limit > mostRows) return `--limit is a whole number from 1 to ${mostRows}.`
  const page = wholeNumber(given.page, 1)
  if (page === null || page > 1_000_000) return '--page is a whole number from 1 on.'
  if (given.json && given.csv) return '--json and --csv exclude each other.'
  return { limit, offset: limit * (page - 1) }
}

function wholeNumber(value: Given[string], otherwise: number): number | null {
  if (value === undefined) return otherwise
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
}

export type Column<Item> = {
  readonly title: string
  /** Left out: for programs alone. */
  cell?(item: Item): string
  /** Where programs want it otherwise than people. */
  csv?(item: Item): string
  /** Set to the right, as figures are. */
  readonly right?: true
}

/** Prints a part of a list as it was asked for, and says on which page it goes on. */
export function printList<Item>(
  { print, say }: CommandContext,
  given: Given,
  { limit, offset }: Page,
  list: {
    readonly items: readonly Item[]
    readonly count: number
    readonly columns: readonly Column<Item>[]
    json(item: Item): unknown
    /** What to say where the list is empty. */
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
  if (items.length === 0) say(`There are ${count}, and none on this page.`)
  else if (end < count) say(`${offset + 1} to ${end} of ${count}. More: --page ${Math.floor(offset / limit) + 2}`)
}

/** The word that was given, undefined where none was, null where it is not one of these. */
export function wordOf<Word extends string>(value: Given[string], words: readonly Word[]): Word | undefined | null {
  if (value === undefined) return undefined
  return words.find((word) => word === value) ?? null
}

export function unknownWord(option: string, value: Given[string], words: readonly string[]): string {
  return `--${option}: must be one of ${words.join(', ')}.${hint(String(value), words)}`
}
