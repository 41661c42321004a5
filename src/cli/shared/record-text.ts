import { tableLines } from './table.ts'

/** `2026-05-10 12:00`, in universal time. */
export const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')

/** A part of one thing's page: a title and rows under it, or nothing where there are none. */
export function section(title: string, rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  return rows.length > 0 ? ['', title, ...tableLines(rows, right).map((line) => `  ${line}`)] : []
}
