import { demanded, type Fault, faults, steps } from '../../tests/recovery/matrix/fault-matrix.ts'
import { invariants, methods, type Named, namedLater, promises, threats } from '../../tests/recovery/matrix/promises.ts'
import { byName, cellsIn, cellsOf, idsIn } from '../../tests/recovery/matrix/titles.ts'
import { everyCell, putOff } from '../../tests/recovery/matrix/wanted-cells.ts'
import type { Ran, Results } from './junit.ts'
import type { SimulatorReport } from './simulator.ts'

/**
 * `held`: a test ran and all passed. `beyond`: the same, where none is asked for. `missing`: asked for, and none ran.
 * `later`: not asked for yet. `none`: cannot happen there.
 */
export type State = 'held' | 'failed' | 'missing' | 'later' | 'beyond' | 'none'

/** Something that tests name: a promise, a threat, a cell of the fault table. */
export type Claim = {
  readonly id: string
  readonly what: string
  readonly state: State
  readonly tests: readonly Ran[]
  /** Why it is not asked for. */
  readonly why: string | undefined
}

export type Method = Claim & {
  readonly change: string
  readonly night: string
  /** What its tests have noted about how far they went. */
  readonly reached: readonly string[]
  readonly seconds: number
}

/** A fault with a place for each step of a purchase, and one for those that belong to none. */
export type Row = { readonly id: Fault; readonly what: string; readonly cells: readonly Claim[] }

export type Reliability = {
  readonly commit: string
  readonly writtenAt: Date | null
  readonly counts: Readonly<Record<'tests' | 'passed' | 'failed' | 'skipped' | 'files', number>> & {
    readonly seconds: number
  }
  readonly failed: readonly Ran[]
  readonly promises: readonly Claim[]
  readonly invariants: readonly Claim[]
  readonly threats: readonly Claim[]
  readonly methods: readonly Method[]
  readonly rows: readonly Row[]
  readonly simulator: SimulatorReport | null
}

export type Sources = {
  readonly results: Results
  readonly simulator: SimulatorReport | null
  readonly commit: string
}

/** Column of faults without a step. */
export const noStep = '–'
export const columns: readonly string[] = [...Object.keys(steps), noStep]

/** Everything that the page says, out of what ran. */
export function reliability({ results, simulator, commit }: Sources): Reliability {
  const { tests } = results
  const named = byName(tests, idsIn)
  const covering = byName(tests, (title) => cellsIn(title, demanded))
  const claims = (table: Named) =>
    Object.entries(table).map(([id, what]) => claim(id, what, named.get(id), { asked: true, why: namedLater[id] }))
  const passed = tests.filter(({ state }) => state === 'passed')
  const failed = tests.filter(({ state }) => state === 'failed')
  return {
    commit,
    writtenAt: results.writtenAt,
    counts: {
      tests: tests.length,
      passed: passed.length,
      failed: failed.length + results.strays,
      skipped: tests.length - passed.length - failed.length,
      files: new Set(tests.map(({ file }) => file)).size,
      seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0),
    },
    failed,
    promises: claims(promises),
    invariants: claims(invariants),
    threats: claims(threats),
    methods: Object.entries(methods).map(([id, { what, change, night }]) => {
      const found = claim(id, what, named.get(id), { asked: true, why: namedLater[id] })
      const notes = tests.flatMap((test) => test.notes.filter(([name]) => name === id).map(([, text]) => text))
      return {
        ...found,
        change,
        night,
        reached: [...new Set([...notes, ...countsAround(found.tests), ...simulated(id, simulator)])],
        seconds: found.tests.reduce((sum, { seconds }) => sum + seconds, 0),
      }
    }),
    rows: (Object.keys(faults) as Fault[]).map((fault) => ({
      id: fault,
      what: faults[fault],
      cells: columns.map((column) => cellOf(fault, column, covering)),
    })),
    simulator,
  }
}

function cellOf(fault: Fault, column: string, covering: ReadonlyMap<string, readonly Ran[]>): Claim {
  const [id = fault] = column === noStep ? [fault] : cellsOf(fault, column)
  const asked = column === noStep ? demanded[fault] === '' : everyCell.includes(id)
  const what = column === noStep ? 'belongs to no step' : steps[column as keyof typeof steps]
  return claim(id, what, covering.get(id), { asked, why: asked ? putOff(id) : undefined })
}

function claim(
  id: string,
  what: string,
  tests: readonly Ran[] = [],
  { asked, why }: { asked: boolean; why: string | undefined },
): Claim {
  const ran = tests.filter(({ state }) => state !== 'skipped')
  const failed = ran.some(({ state }) => state === 'failed')
  const wanted = asked && why === undefined
  const without: State = wanted ? 'missing' : asked ? 'later' : 'none'
  const state: State = ran.length === 0 ? without : failed ? 'failed' : wanted ? 'held' : 'beyond'
  return { id, what, state, tests, why }
}

/** What a title around tests says of how often they try: `50 rounds between two processes`. */
function countsAround(tests: readonly Ran[]): string[] {
  const around = tests.flatMap(({ title }) => title.split(' > ').slice(0, -1))
  return around.filter((words) => /(?<![A-Z])\b[\d,]*\d{2}\b/.test(words))
}

function simulated(id: string, simulator: SimulatorReport | null): string[] {
  if (!simulator) return []
  const { purchases, steps: taken, violations, seconds, seed, bugs } = simulator
  if (id === 'M1') {
    return [
      `${figure(purchases)} purchases, ${figure(taken)} steps, violations: ${violations.length}, ${figure(Math.round(seconds))} s, seed ${seed}`,
    ]
  }
  if (id !== 'M2' || bugs.length === 0) return []
  const found = bugs.flatMap(({ foundAfter }) => (foundAfter === null ? [] : [foundAfter]))
  const latest = found.length > 0 ? `, the last after ${figure(Math.max(...found))} purchases` : ''
  return [`${found.length} of ${bugs.length} planted bugs found${latest}`]
}

/** A count as people read it: `2,000`. */
export const figure = (count: number): string => count.toLocaleString('en')
