import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../reports/bench')

export type Figure = {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** Absent: told, not judged. */
  readonly budget?: { readonly atLeast: number } | { readonly atMost: number }
  /** Where it is written down why the budget cannot be met on two cores. */
  readonly knownMiss?: string
}

/** Prints a bench's answer and keeps it as `reports/bench/<name>.json`. */
export function report(name: string, figures: readonly Figure[]): void {
  mkdirSync(folder, { recursive: true })
  const judged = figures.map((figure) => ({ ...figure, value: rounded(figure.value), ok: isMet(figure) }))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(judged, null, 2)}\n`)
  console.log(`\n${name}`)
  for (const { what, value, unit, budget, ok } of judged) {
    const wanted = budget ? ('atLeast' in budget ? `≥ ${budget.atLeast}` : `≤ ${budget.atMost}`) : ''
    console.log(`  ${ok ? ' ' : '✗'} ${what}: ${value} ${unit}${wanted && `  (budget ${wanted})`}`)
  }
}

/** As `report` has written it. */
export type Judged = Figure & { readonly ok: boolean }

export function isMet({ value, budget }: Figure): boolean {
  if (!budget) return true
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
