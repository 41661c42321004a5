import { sampled } from './size.ts'

/** `F7 at S11`, `F15`: a fault, in the title of a test. */
const fault = /\bF\d+\b/
/** M5 tries every cell of the fault matrix with a network that is cut. */
const cells = /\bM5\b/
/** `ADD-03`, `M7`: a behaviour of the specification, or a method, which has a size of its own. They run in every run. */
const always = /\b(?:[A-Z]{2,}-\d{2}|M(?!5\b)\d{1,2})\b/
/** Pages in all their states, and the client libraries of the emulator method by method. */
const matrices = [/\/accessibility\/states\.test\.ts$/, /\/contract\/paypal-[a-z-]+\.browser\.test\.ts$/]
/** The same purchase from one country after another: what is particular about each has a test of its own elsewhere. */
const tables = /\/journeys\/countries\.test\.ts$/

/**
 * Whether a test is a row of a matrix: a fault at a step of a purchase, a state of a page, a method of a client library, a country.
 * @param file the path of its file
 * @param title its own, without those around it
 */
export const inMatrix = (file: string, title: string): boolean =>
  tables.test(file) ||
  (!always.test(title) && (fault.test(title) || cells.test(title) || matrices.some((pattern) => pattern.test(file))))

const behaviours = (title: string) => title.match(/\b[A-Z]{2,}-\d{2}\b/g) ?? []

/** Of the rows of one file those that run in a sample: one in ten, and as many more as it takes to have each behaviour that they name. */
export function drawnRows<Row extends { readonly name: string }>(rows: readonly Row[], wanted?: boolean): Row[] {
  const drawn = new Set(sampled(rows, wanted))
  const named = new Set([...drawn].flatMap(({ name }) => behaviours(name)))
  for (const row of rows) {
    const missing = behaviours(row.name).filter((id) => !named.has(id))
    if (missing.length === 0) continue
    drawn.add(row)
    for (const id of missing) named.add(id)
  }
  return rows.filter((row) => drawn.has(row))
}
