import type { ImportOptions } from '#shop/import/import-products.ts'

/** A product as it is in the shop after an import; prices in minor units of euros. Members of no interest are left out. */
export type ImportedProduct = {
  sku: string
  type: string
  name: string
  status: string
  regular: number | null
  sale: number | null
  stock: number | null
  stockStatus: string
  backorders: string
  gtin: string
  taxStatus: string
  taxClass: string
  grams: number | null
  virtual: boolean
  description: string
  parent: string | null
  categories: string[]
  tags: string[]
  /** As paths from the top: `Kiln > Studio`. */
  brands: string[]
  /** `Colour: red, blue`, shop-wide ones with `*`. */
  attributes: string[]
  /** Chosen values of a variation: `Colour: red`. */
  chosen: string[]
  upsells: string[]
  /** Names that wait for their product. */
  waiting: string[]
  images: number
  meta: Record<string, string>
  saleTo: string | null
}

/** A file that was tried, what is special about it, and what came in. */
export type TriedFile = {
  readonly name: string
  readonly about: string
  readonly content: string | Uint8Array
  readonly options?: Partial<ImportOptions>
  /** Some members of how the file was read. */
  readonly reading?: { format?: string; encoding?: string; separator?: string; decimal?: string | null }
  /** Products by SKU; empty: the file is rejected. */
  readonly products: readonly (Partial<ImportedProduct> & { sku: string })[]
  /** A text in the notes, or in the errors of a rejected file. */
  readonly says?: string
}

/** Bytes of a text in Windows-1252. */
export const windows1252 = (text: string) =>
  Buffer.from(text.replaceAll('€', '\x80').replaceAll('–', '\x96').replaceAll('’', '\x92'), 'latin1')
