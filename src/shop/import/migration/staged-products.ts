import { createReadStream } from 'node:fs'
import { mkdir, open, rename, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { csvLine } from '#contract/shared/csv-line.ts'

export type StagedLinks = {
  readonly grouped: readonly number[]
  readonly upsells: readonly number[]
  readonly crosssells: readonly number[]
}

/** A product or variation of another shop, ready for a product file. */
export type StagedProduct = {
  readonly id: number
  /** The ID of the variable product of a variation. */
  readonly parent: number | null
  readonly type: string
  readonly sku: string
  readonly name: string
  readonly cells: Readonly<Record<string, string>>
  readonly images: readonly string[]
  readonly downloads: readonly { readonly id: string; readonly name: string; readonly url: string }[]
  /** IDs of brands, which came with the terms: a product file has their names only. */
  readonly brands: readonly number[]
  readonly links: StagedLinks
}

/**
 * Appends products to a file, one JSON line each. A run that was killed within a page truncates the file to the length
 * after the last complete one.
 * @returns the new length in bytes
 */
export async function appendStaged(file: string, length: number, products: readonly StagedProduct[]): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const text = products.map((product) => `${JSON.stringify(product)}\n`).join('')
  await using handle = await open(file, length === 0 ? 'w' : 'a', 0o600)
  if (length > 0) await truncate(file, length)
  await handle.writeFile(text)
  await handle.sync()
  return length + Buffer.byteLength(text)
}

/** Reads staged products one by one. The file is our own. */
export async function* stagedProducts(file: string): AsyncGenerator<StagedProduct> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as StagedProduct
}

/** Reads staged products in batches. */
export async function* stagedBatches(file: string, size = 500): AsyncGenerator<StagedProduct[]> {
  let batch: StagedProduct[] = []
  for await (const product of stagedProducts(file)) {
    batch.push(product)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Writes a CSV file line by line; it appears under its name when it is complete. */
export async function writeCsv(
  file: string,
  columns: readonly string[],
  rows: AsyncIterable<Readonly<Record<string, string>>>,
): Promise<number> {
  const partial = `${file}.partial`
  let count = 0
  {
    await using handle = await open(partial, 'w', 0o600)
    let text = `${csvLine(columns)}\n`
    for await (const row of rows) {
      text += `${csvLine(columns.map((column) => row[column] ?? ''))}\n`
      count += 1
      if (text.length < 1_000_000) continue
      await handle.writeFile(text)
      text = ''
    }
    await handle.writeFile(text)
    await handle.sync()
  }
  await rename(partial, file)
  return count
}
