import { demanded, later } from './fault-matrix.ts'
import { cellsIn, cellsOf } from './titles.ts'

/** Every cell of the table: `F6 at S8`; `F17` for a fault without a step. */
export const everyCell: readonly string[] = Object.entries(demanded).flatMap(([fault, where]) => cellsOf(fault, where))

/** Why a cell is not asked for; undefined where it is. */
export function putOff(cell: string): string | undefined {
  const [fault = ''] = cell.split(' at ')
  const words = Object.keys(later).find((word) => word === fault || cellsIn(word, demanded).includes(cell))
  return words === undefined ? undefined : later[words]
}

/** The cells that must have a test. */
export const wantedCells: readonly string[] = everyCell.filter((cell) => putOff(cell) === undefined)
