import { type Claim, columns, figure, type Reliability } from './reliability.ts'
import { minutes, stateWords, testCount } from './state-labels.ts'

/** The same for a terminal and for a diff between two runs: no test by name, but every state. */
export function reliabilityText({ commit, writtenAt, counts, simulator, ...report }: Reliability): string {
  const { tests, passed, failed, skipped, files, seconds } = counts
  return [
    `Vitrine ${commit}: what is proven`,
    `${writtenAt ? writtenAt.toISOString() : 'unknown time'}: ${testCount(tests)} in ${figure(files)} files, ${minutes(seconds)}`,
    `${figure(passed)} passed, ${failed} failed, ${skipped} left out`,
    '',
    ...part('Promises', report.promises),
    'Faults by step (a figure: tests; ✕ failed; ? no test ran; … not yet; · does not apply)',
    `     ${columns.map((column) => column.padStart(4)).join('')}`,
    ...report.rows.map(({ id, cells, what }) => `${id.padEnd(5)}${cells.map(cellText).join('')}  ${what}`),
    '',
    'Methods',
    ...report.methods.map(({ id, what, state, reached, tests: of }) => {
      const ran = of.length > 0 ? [testCount(of.length)] : []
      return `  ${stateWords[state].sign} ${id.padEnd(4)} ${what}: ${[...reached, ...ran].join('; ') || 'nothing'}`
    }),
    simulator ? `  simulator: seed ${simulator.seed}` : '  simulator: no report',
    '',
    ...part('Threats', report.threats),
    ...part('Invariants', report.invariants),
    ...list('Failed', report.failed),
  ].join('\n')
}

function part(name: string, claims: readonly Claim[]): string[] {
  const lines = claims.map(({ id, what, state, tests }) => {
    const { sign, words } = stateWords[state]
    return `  ${sign} ${id.padEnd(4)} ${what} (${tests.length === 0 ? words : testCount(tests.length)})`
  })
  return [name, ...lines, '']
}

function cellText({ state, tests }: Claim): string {
  const counts = tests.length > 0 && state !== 'failed'
  return (counts ? String(tests.length) : stateWords[state].sign).padStart(4)
}

function list(name: string, tests: readonly { title: string; file: string }[]): string[] {
  return tests.length === 0 ? [] : [name, ...tests.map(({ title, file }) => `  ${title} (${file})`), '']
}
