import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { checkProducts, type ImportPlan } from './check-products.ts'
import { type FaultList, faultList } from './import-faults.ts'
import type { ImportOptions, ImportProgress } from './import-products.ts'
import type { ImportTools } from './import-tools.ts'
import { openProductFile, type ProductFile } from './product-file.ts'
import { ProductFileError } from './product-file-error.ts'
import { importSoldFiles } from './product-files.ts'
import { convertImages } from './product-images.ts'

export type PreparedImport = {
  /** Null: the file cannot be imported. */
  readonly plan: ImportPlan | null
  /** Null: the file cannot be read. */
  readonly source: ProductFile | null
  readonly faults: FaultList
  readonly notes: FaultList
  /** The reasons why rows are left out, by the first row of their product. */
  readonly excluded: ReadonlyMap<number, string>
  /** Ids of images, and stored paths of downloadable files, by their name in the rows. */
  readonly images: ReadonlyMap<string, number>
  readonly files: ReadonlyMap<string, string>
}

/** A left-out row may leave others out in turn: variations of its product. Each pass reads the whole file. */
const mostPasses = 12

/**
 * Opens and validates a product file, and takes in its images and downloadable files. Where faulty rows are left out, it
 * repeats the validation without them until no row has a fault.
 */
export async function prepareImport(
  tools: ImportTools,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<PreparedImport> {
  const skips = options.faultyFile !== undefined
  const excluded = new Map<number, string>()
  const all = faultList()
  const opened = await open(tools, options)
  if ('problem' in opened) {
    all.add({ row: opened.row, column: opened.column, value: '', problem: opened.problem })
    return { plan: null, source: null, faults: all, notes: faultList(), excluded, images: new Map(), files: new Map() }
  }
  const { source } = opened
  const titleOf = (column: string) => source.format.titles.get(column) ?? column
  const taken: Taken = { images: new Map(), files: new Map(), broken: new Map() }
  const remoteImages = options.fetchImages === true || tools.settings.remoteImages
  for (let pass = 1; ; pass += 1) {
    const faults = faultList({ keepsRows: skips, titleOf })
    const notes = faultList({ titleOf })
    for (const problem of source.format.notes) notes.add({ row: source.titles.row, column: '', value: '', problem })
    const plan = await checkProducts(
      tools,
      {
        source,
        excluded: new Set(excluded.keys()),
        broken: taken.broken,
        existing: options.existing,
        ids: options.ids,
        remoteImages,
        places: options,
      },
      faults,
      notes,
      (done) => onProgress({ phase: 'checking', done, of: null }),
    )
    const stops = options.withoutPrice === 'stop' && plan !== null && plan.withoutPrice > 0
    if (plan && faults.count === 0 && !stops && !options.dryRun)
      await takeFiles(tools, plan, options, taken, faults, onProgress)
    all.addAll(faults)
    const isDone = plan !== null && faults.count === 0
    if (isDone || !skips || !plan || pass === mostPasses) {
      const { images, files } = taken
      return { plan: isDone ? plan : null, source, faults: all, notes, excluded, images, files }
    }
    for await (const { row, first } of source.rows()) {
      const reason = faults.rows.get(row)
      if (reason !== undefined && !excluded.has(first)) excluded.set(first, reason)
    }
  }
}

type Taken = {
  readonly images: Map<string, number>
  readonly files: Map<string, string>
  /** Images and files that could not be read, with the problem. */
  readonly broken: Map<string, string>
}

async function open(
  { settings: { currency } }: ImportTools,
  { file, delimiter: separator, encoding, decimal, map }: ImportOptions,
): Promise<
  { readonly source: ProductFile } | { readonly row: number; readonly column: string; readonly problem: string }
> {
  try {
    const rules = { decimals: currencyExponent(currency), currency }
    return { source: await openProductFile(file, { separator, encoding, decimal, map }, rules) }
  } catch (error) {
    if (!(error instanceof ProductFileError)) throw error
    return { row: error.row, column: error.column, problem: error.message }
  }
}

/** Takes in the images and downloadable files that no earlier pass took. Unreadable ones are faults of their row. */
async function takeFiles(
  tools: ImportTools,
  plan: ImportPlan,
  options: ImportOptions,
  { images, files, broken }: Taken,
  faults: FaultList,
  onProgress: (progress: ImportProgress) => void,
): Promise<void> {
  const left = <Use>(uses: ReadonlyMap<string, Use>, done: ReadonlyMap<string, unknown>) =>
    new Map([...uses].filter(([source]) => !done.has(source)))
  const fault = (source: string, row: number, column: string, problem: string) => {
    broken.set(source, problem)
    faults.add({ row, column, value: source, problem })
  }
  const takenImages = await convertImages(
    tools,
    left(plan.images, images),
    options,
    (source, { row }, problem) => fault(source, row, 'Images', problem),
    (done, of) => onProgress({ phase: 'pictures', done, of }),
  )
  for (const [source, id] of takenImages) images.set(source, id)
  const takenFiles = await importSoldFiles(
    tools,
    left(plan.files, files),
    options,
    (source, { row, column }, problem) => fault(source, row, column, problem),
    (done, of) => onProgress({ phase: 'files', done, of }),
  )
  for (const [source, path] of takenFiles) files.set(source, path)
}
