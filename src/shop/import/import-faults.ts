/** An error of a file. Row numbers are those of a spreadsheet; 0 is the file itself. */
export type ImportFault = {
  readonly row: number
  readonly column: string
  readonly value: string
  readonly problem: string
}

/** Keeps the first errors and counts the rest: a damaged file must not fill the memory. */
export type FaultList = {
  readonly list: readonly ImportFault[]
  readonly count: number
  /** The problems of every row, if they are kept. */
  readonly rows: ReadonlyMap<number, string>
  add(fault: ImportFault): void
  /** Adds the errors of another list, and the number of those that it does not list. */
  addAll(other: Pick<FaultList, 'list' | 'count'>): void
}

const longestValue = 120
const longestReason = 500

/**
 * @param keepsRows keeps the problems of every row, for the file of rows that are left out
 * @param titleOf returns the title in the file of a column
 */
export function faultList({
  most = 200,
  keepsRows = false,
  titleOf = (column) => column,
}: {
  most?: number
  keepsRows?: boolean
  titleOf?: (column: string) => string
} = {}): FaultList {
  const list: ImportFault[] = []
  const rows = new Map<number, string>()
  let count = 0
  function keepRow(row: number, reason: string) {
    const before = rows.get(row)
    if (before === undefined) rows.set(row, reason)
    else if (before.length < longestReason) rows.set(row, `${before}; ${reason}`)
  }
  return {
    list,
    rows,
    get count() {
      return count
    },
    add(fault) {
      count += 1
      const column = titleOf(fault.column)
      if (keepsRows) keepRow(fault.row, column === '' ? fault.problem : `${column}: ${fault.problem}`)
      if (list.length >= most) return
      const value = fault.value.length > longestValue ? `${fault.value.slice(0, longestValue)}…` : fault.value
      list.push({ ...fault, column, value })
    },
    addAll(other) {
      count += other.count
      list.push(...other.list.slice(0, Math.max(0, most - list.length)))
    },
  }
}
