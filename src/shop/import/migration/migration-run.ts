import type { z } from 'zod'
import { idOfRecord } from '#contract/import/source/source-values.ts'
import { issueText, keyOf } from '#contract/shared/merchant-rules.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import {
  findMigratedItems,
  type MigratedItem,
  type MigrationPosition,
  readMigrationProgress,
  recordMigratedItems,
  saveMigrationProgress,
} from '#database/import/migration-items.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { shopConfiguration } from '../../operations/settings/shop-configuration.ts'
import type { Tools } from '../../shared/tools.ts'
import type { HostLookup } from '../fetch-remote-file.ts'
import type { MigrationReport } from './migration-report.ts'
import type { SourceConnection, SourceQuery } from './source-connection.ts'

/** Steps of a migration, in their order: later ones refer to records of earlier ones. */
export const migrationSteps = [
  'settings',
  'taxes',
  'terms',
  'products',
  'shipping',
  'coupons',
  'customers',
  'reviews',
  'orders',
] as const

export type MigrationStep = (typeof migrationSteps)[number]

export type MigrationOptions = {
  readonly only: readonly MigrationStep[]
  /** Brings products, coupons, reviews and orders created after this moment; null: all. */
  readonly since: Date | null
  /** Writes nothing, and reports. */
  readonly dryRun: boolean
  /** Leaves faulty records out; otherwise the migration stops at the first page with one. */
  readonly skipFaulty: boolean
  /** The folder of the shop's own files. */
  readonly dataDir: string
  readonly lookup: HostLookup
}

export type MigrationProgress = { readonly kind: string; readonly done: number; readonly of: number | null }

/** A migration stops at faulty records, unless it skips them. */
export class MigrationStopped extends Error {
  override readonly name = 'MigrationStopped'
}

/** One run of a migration: tools, the connection to the other shop, and the report. */
export type MigrationRun = {
  readonly options: MigrationOptions
  readonly source: SourceConnection
  readonly report: MigrationReport
  readonly progress: (progress: MigrationProgress) => void
  /** Returns the tools with the current settings. */
  tools(): Tools
  /** Reads the settings again after a change. */
  refreshSettings(): Promise<void>
  /** Uses settings that a dry run does not store. */
  imagineSettings(settings: ShopSettings): void
  /** Returns the own IDs of records that came earlier, by their IDs at the source. */
  known(kind: string, ids: readonly (number | string)[]): Promise<Map<string, number | null>>
  record(kind: string, items: readonly MigratedItem[]): Promise<void>
  position(kind: string): MigrationPosition
  savePosition(kind: string, position: MigrationPosition): Promise<void>
}

const start: MigrationPosition = { nextPage: 1, phase: 'reading', state: {} }

export async function startRun(
  given: Tools,
  source: SourceConnection,
  options: MigrationOptions,
  report: MigrationReport,
  progress: (progress: MigrationProgress) => void,
): Promise<MigrationRun> {
  let tools = given
  const { name } = source.location
  const db = given.db.kysely
  const since = options.since?.toISOString() ?? null
  const stored = options.dryRun ? new Map<string, MigrationPosition>() : await readMigrationProgress(db, name)
  // Another start date is another selection of records, of which nothing was read yet.
  const positions = new Map([...stored].filter(([, { state }]) => (state.since ?? null) === since))
  /** Records of a dry run: later steps refer to them as if they had come. */
  const imagined = new Map<string, Map<string, number | null>>()
  return {
    options,
    source,
    report,
    progress,
    tools: () => tools,
    async refreshSettings() {
      if (options.dryRun) return
      tools = { ...tools, ...shopConfiguration(await readConfiguration(tools.db)) }
    },
    imagineSettings(settings) {
      tools = { ...tools, settings }
    },
    async known(kind, ids) {
      const found = await findMigratedItems(db, name, kind, ids.map(String))
      for (const id of ids.map(String)) {
        const own = imagined.get(kind)?.get(id)
        if (own !== undefined && !found.has(id)) found.set(id, own)
      }
      return found
    },
    async record(kind, items) {
      if (!options.dryRun) return recordMigratedItems(tools.db.kysely, name, kind, items)
      const ofKind = imagined.get(kind) ?? new Map<string, number | null>()
      imagined.set(kind, ofKind)
      for (const { sourceId, ownId } of items) ofKind.set(sourceId, ownId)
    },
    position: (kind) => positions.get(kind) ?? start,
    async savePosition(kind, position) {
      const dated = { ...position, state: { ...position.state, since } }
      positions.set(kind, dated)
      if (options.dryRun) return
      await saveMigrationProgress(tools.db.kysely, name, kind, dated, tools.clock.now())
    },
  }
}

const perPage = 100

export type ReadOptions = {
  /** The kind of record, for progress and report. */
  readonly kind: string
  readonly path: string
  readonly query?: SourceQuery
  /** False: the records are only looked at, and are not part of the report. */
  readonly counted?: boolean
}

/** Yields the pages of a list, parsed; faulty records go to the report. Yields nothing if the shop has no such list. */
export async function* sourcePages<Schema extends z.ZodType>(
  run: MigrationRun,
  { kind, path, query = {}, counted = true }: ReadOptions,
  schema: Schema,
  firstPage = 1,
): AsyncGenerator<{ readonly page: number; readonly last: boolean; readonly records: z.output<Schema>[] }> {
  let seen = (firstPage - 1) * perPage
  for (let page = firstPage; ; page += 1) {
    const answer = await run.source.read(path, { per_page: perPage, page, ...query })
    if (!answer) return
    if (!Array.isArray(answer.body)) {
      run.report.fault(kind, '', `the answer of ${path} is not a list`)
      return
    }
    const records = answer.body.flatMap((record: unknown) => {
      const parsed = parsedRecord(schema, record)
      if ('value' in parsed) return [parsed.value]
      run.report.fault(kind, idOfRecord(record), parsed.problem)
      return []
    })
    seen += answer.body.length
    if (counted) {
      run.report.found(kind, answer.body.length)
      run.progress({ kind, done: seen, of: answer.total })
    }
    // Lists without pages have no headers; a plug-in may answer them whole whatever the page is.
    const last =
      answer.body.length === 0 || (answer.pages === null ? answer.body.length !== perPage : page >= answer.pages)
    yield { page, last, records }
    if (last) return
  }
}

/** Reads all records of a list that fits into memory. */
export async function sourceRecords<Schema extends z.ZodType>(
  run: MigrationRun,
  options: ReadOptions,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const all: z.output<Schema>[] = []
  for await (const { records } of sourcePages(run, options, schema)) all.push(...records)
  return all
}

/**
 * Works through a list page by page and saves the position, so that a run that was killed continues. It continues one
 * page earlier: records that were deleted there meanwhile move the others up.
 * @throws MigrationStopped after a page with faulty records, unless they are skipped
 */
export async function eachPage<Schema extends z.ZodType>(
  run: MigrationRun,
  options: ReadOptions,
  schema: Schema,
  work: (records: z.output<Schema>[]) => Promise<void>,
): Promise<void> {
  const { kind } = options
  const before = run.position(kind)
  if (before.phase === 'done') return
  const firstPage = Math.max(1, before.nextPage - 1)
  for await (const { page, records } of sourcePages(run, options, schema, firstPage)) {
    await work(records)
    stopAtFaults(run)
    await run.savePosition(kind, { ...before, nextPage: page + 1 })
  }
  await run.savePosition(kind, { ...before, phase: 'done' })
}

/** @throws MigrationStopped if there are faulty records and they are not skipped */
export function stopAtFaults({ report, options }: MigrationRun): void {
  if (report.faultCount > 0 && !options.skipFaulty && !options.dryRun) throw new MigrationStopped()
}

function parsedRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
): { readonly value: z.output<Schema> } | { readonly problem: string } {
  const parsed = schema.safeParse(record)
  if (parsed.success) return { value: parsed.data }
  const [issue] = parsed.error.issues
  return { problem: issue ? `${keyOf(issue.path)} ${issueText(issue)}`.trim() : 'is not readable' }
}

/** The member of a query that selects records by their creation. */
export function sinceQuery({ options }: MigrationRun): SourceQuery {
  // `after` is compared with UTC only where `dates_are_gmt` says so.
  return options.since ? { after: options.since.toISOString().slice(0, 19), dates_are_gmt: 'true' } : {}
}

/** Sorts by ID: records that are added meanwhile come last and move no page. */
export const byId: SourceQuery = { orderby: 'id', order: 'asc' }
