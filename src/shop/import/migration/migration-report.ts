/** Counts of one kind of record. */
export type KindCounts = {
  /** Records that the other shop listed. */
  found: number
  added: number
  /** Records that came with an earlier run, or were here. */
  known: number
  /** Records that are left out on purpose; the differences say why. */
  left: number
}

export type MigrationNote = { readonly kind: string; readonly id: string; readonly text: string }

export type ChangedMigrationSetting = { readonly key: string; readonly before: unknown; readonly after: unknown }

/** Collects the results of a migration. Lists keep the first entries and count the rest. */
export type MigrationReport = {
  readonly counts: ReadonlyMap<string, KindCounts>
  readonly settings: readonly ChangedMigrationSetting[]
  /** Records that come differently, or not at all. */
  readonly differences: readonly MigrationNote[]
  readonly differenceCount: number
  readonly faults: readonly MigrationNote[]
  readonly faultCount: number
  found(kind: string, records: number): void
  added(kind: string, records?: number): void
  known(kind: string, records?: number): void
  left(kind: string, id: number | string, reason: string): void
  setting(change: ChangedMigrationSetting): void
  /** Notes a difference that the merchant should know. */
  differs(kind: string, id: number | string, text: string): void
  fault(kind: string, id: number | string, problem: string): void
}

const mostNotes = 500

export function migrationReport(): MigrationReport {
  const counts = new Map<string, KindCounts>()
  const settings: ChangedMigrationSetting[] = []
  const [differences, faults]: [MigrationNote[], MigrationNote[]] = [[], []]
  let [differenceCount, faultCount] = [0, 0]
  const of = (kind: string) => {
    const some = counts.get(kind) ?? { found: 0, added: 0, known: 0, left: 0 }
    counts.set(kind, some)
    return some
  }
  const differs = (kind: string, id: number | string, text: string) => {
    differenceCount += 1
    if (differences.length < mostNotes) differences.push({ kind, id: String(id), text })
  }
  return {
    counts,
    settings,
    differences,
    get differenceCount() {
      return differenceCount
    },
    faults,
    get faultCount() {
      return faultCount
    },
    found: (kind, records) => {
      of(kind).found += records
    },
    added: (kind, records = 1) => {
      of(kind).added += records
    },
    known: (kind, records = 1) => {
      of(kind).known += records
    },
    left(kind, id, reason) {
      of(kind).left += 1
      differs(kind, id, reason)
    },
    setting: (change) => settings.push(change),
    differs,
    fault(kind, id, problem) {
      faultCount += 1
      if (faults.length < mostNotes) faults.push({ kind, id: String(id), text: problem })
    },
  }
}
