/** The rows of an answer, the command that was executed, and how many rows it read or changed. */
export type Rows<Row extends readonly unknown[]> = Row & { readonly command: string; readonly count: number }

/** Turns the driver's answer into rows. The additional members are hidden, so that rows compare as an array. */
export function rowsOf({ rows, command, rowCount }: Answer): Rows<unknown[]> {
  command ??= ''
  const members = { command: { value: command }, count: { value: rowCount ?? 0 } }
  // Both were just defined.
  return Object.defineProperties(rows, members) as Rows<unknown[]>
}

export type Answer = {
  readonly rows: unknown[]
  command: string | null
  readonly rowCount: number | null
}
