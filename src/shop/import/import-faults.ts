/** An error of a file. Row numbers are those of a spreadsheet; 0 is the file itself. */
export type ImportFault = {
  readonly row: number
  readonly column: string
  readonly value: string
  readonly problem: string
}

/** Keeps the first errors and counts the rest: a damaged file must not fill the memory. */
export type FaultList = { readonly list: readonly ImportFault[]; readonly count: number; add(fault: ImportFault): void }

const longestValue = 120

export function faultList(most = 200): FaultList {
  const list: ImportFault[] = []
  let count = 0
  return {
    list,
    get count() {
      return count
    },
    add(fault) {
      count += 1
      if (list.length >= most) return
      const value = fault.value.length > longestValue ? `${fault.value.slice(0, longestValue)}…` : fault.value
      list.push({ ...fault, value })
    },
  }
}
