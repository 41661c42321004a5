import { tableLines } from './table.ts'

/** `2026-05-10 12:00`, in UTC. */
export const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')

/** A section of a record: a title and its rows, or nothing without rows. */
export function section(title: string, rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  return rows.length > 0 ? ['', title, ...tableLines(rows, right).map((line) => `  ${line}`)] : []
}
